//! The directives of loops that are shared out.

use std::collections::BTreeSet;

use costate_analysis::effects::is_copied_in;
use costate_analysis::normal::mentions;
use costate_analysis::storage::{holds_allocatables, holds_pointers, is_global};
use costate_grammar::directives::{AccConstruct, Clause, ClauseKind, Construct, Directive, OmpConstruct, parse};
use costate_grammar::ir::{
    LoopControl, LoopDirective, Name, Origin, Parallel, Program, Role, Stmt, StmtId, StmtKind, SymId, Variable,
    for_each_stmt,
};
use costate_grammar::lines::Sentinel;

use super::accesses::Accesses;
use super::atomic;
use super::concurrent::concurrent;
use super::nests::innermost;
use super::references::few_elements;
use super::sharing::Sharing;
use super::{Form, has_whole};

/// True for a directive that asks for nothing but vector operations.
pub(super) fn only_vectors(p: &Parallel) -> bool {
    p.directives.iter().any(|d| d.directive.omp() == Some(&OmpConstruct::Simd))
}

/// True for a statement of generated code with a directive that isn't about vector operations alone.
pub(crate) fn takes_threads(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Do { parallel: Some(p), .. } => !only_vectors(p),
        StmtKind::Do { control: LoopControl::Concurrent { .. }, .. } | StmtKind::Directive { .. } => true,
        _ => false,
    }
}

/// True where a loop may have a directive inside another one that is shared out.
pub(super) fn may_be_inner(p: &Parallel) -> bool {
    let region = |d: &Directive| matches!(d.omp(), Some(OmpConstruct::ParallelDo | OmpConstruct::ParallelDoSimd));
    let shares = |d: &LoopDirective| d.directive.acc() == Some(&AccConstruct::Loop) || region(&d.directive);
    only_vectors(p) || p.directives.iter().any(shares)
}

/// True for the directive of a routine whose loops a device shares out among the workers or vectors of the gang that calls it.
/// Gangs can't sum up in one.
pub(super) fn shares_loops(routine: &StmtKind) -> bool {
    let StmtKind::Directive { directive, .. } = routine else { return false };
    let any = |level: fn(&ClauseKind) -> bool| directive.clauses.iter().any(|c| level(&c.kind));
    any(|k| matches!(k, ClauseKind::Worker(_) | ClauseKind::Vector(_))) && !any(|k| matches!(k, ClauseKind::Gang(_)))
}

/// What each thread gets the first one's value of.
pub(super) fn copied_in(program: &Program, p: &Parallel) -> BTreeSet<SymId> {
    let clauses = p.directives.iter().flat_map(|d| &d.directive.clauses);
    if !clauses.into_iter().any(|c| matches!(c.kind, ClauseKind::CopyIn(_))) {
        return BTreeSet::new();
    }
    (0..program.symbols.len()).map(SymId::new).filter(|x| is_copied_in(program, p, *x)).collect()
}

pub(super) fn is_concurrent(p: &Parallel) -> bool {
    p.directives.is_empty()
}

/// True for what OpenACC is asked to share out.
pub(super) fn is_acc(p: &Parallel) -> bool {
    p.directives.iter().any(|d| d.directive.acc().is_some())
}

/// True for `do concurrent`, and for a loop that a directive of OpenMP shares out among threads of the host.
pub(super) fn may_run_in_blocks(p: &Parallel) -> bool {
    is_concurrent(p) || p.among_threads()
}

/// How many loops in each other are to be shared out together.
pub(crate) fn depth(p: &Parallel, s: &Stmt) -> usize {
    if is_concurrent(p) {
        return concurrent_depth(s);
    }
    let clauses = p.directives.iter().flat_map(|d| &d.directive.clauses);
    clauses
        .filter_map(|c| if let ClauseKind::Collapse(n) = c.kind { Some(n as usize) } else { None })
        .max()
        .unwrap_or(1)
}

/// How many of the loops in each other come from `do concurrent`.
fn concurrent_depth(s: &Stmt) -> usize {
    match &s.kind {
        StmtKind::Do { body, parallel: Some(p), .. } if is_concurrent(p) => match body.as_slice() {
            [inner] => 1 + concurrent_depth(inner),
            _ => 1,
        },
        _ => 0,
    }
}

/// Refuses what a kind of directive can't express.
pub(super) fn fits(program: &Program, p: &Parallel, s: &Sharing, a: &Accesses<'_, '_>) -> Result<(), String> {
    let many = |x: &SymId| !program.var(*x).is_some_and(few_elements);
    if is_concurrent(p) && (s.sums.iter().any(many) || !(s.last.is_empty() && s.reduced.is_empty())) {
        return Err("`do concurrent` puts no values of iterations together before Fortran 2023".into());
    }
    if only_vectors(p) && (a.loops || !s.atomic.is_empty() || !s.set.is_empty() || !s.atomic_in_calls.is_empty()) {
        return Err("what it does isn't for vector operations".into());
    }
    // Clauses name variables as their modules do.
    let all_listed = p.on_device() || p.directives.iter().any(|d| d.directive.clauses.iter().any(lists_all));
    let listed = [&s.private, &s.last, &s.sums, &s.tapes, &s.zero, &s.copied].into_iter().flatten();
    let others = s.written.iter().chain(&s.read).filter(|_| all_listed);
    if let Some(x) = listed.chain(s.reduced.iter().map(|r| &r.0)).chain(others).find(|x| has_namesake(program, **x)) {
        return Err(format!("another module has a variable `{}`, too", program[*x].name));
    }
    if !s.tapes.is_empty() && is_concurrent(p) {
        return Err("each iteration needs a tape of its own in it".into());
    }
    if p.on_device() && a.tapes {
        return Err("what it saves goes to a tape, and devices have none".into());
    }
    // In `do concurrent` what an iteration allocates it has to free, as the end of its block does, and a device allocates
    // nothing.
    let kept = |x: &SymId, v: &Variable| v.attrs.allocatable && !s.declared.contains(x);
    let grows = |x: &SymId| program.var(*x).is_some_and(|v| kept(x, v) || holds_allocatables(program, v.ty));
    if let Some(x) = s.private.iter().find(|x| grows(x))
        && (p.on_device() || is_concurrent(p))
    {
        return Err(format!("`{}` gets memory in it", program[*x].name));
    }
    if p.on_device() {
        if is_acc(p) && !s.last.is_empty() {
            return Err("OpenACC has no variable that keeps the value of the last iteration".into());
        }
        let of_whole = |found: &dyn Fn(&Variable) -> bool| {
            s.written.iter().chain(&s.read).find(|x| program.var(**x).is_some_and(found)).copied()
        };
        let apart = |v: &Variable| holds_allocatables(program, v.ty) || holds_pointers(program, v.ty);
        if let Some(x) = of_whole(&apart) {
            let name = &program[x].name;
            return Err(format!("components of `{name}` have memory of their own, which isn't copied to the device"));
        }
        if let Some(x) = of_whole(&|v| !has_whole(v)) {
            return Err(format!(
                "the extent of `{}` isn't known, so that it can't be copied to the device",
                program[x].name
            ));
        }
    }
    Ok(())
}

/// True for a clause by which all variables have to be listed.
fn lists_all(c: &Clause) -> bool {
    matches!(c.kind, ClauseKind::Default(_))
}

/// True for a module's variable of whose name another module has one, too.
fn has_namesake(program: &Program, x: SymId) -> bool {
    let own = |s: SymId, scope| s != x && program[s].scope == scope;
    is_global(program, x)
        && program
            .modules()
            .any(|(_, m)| program[m.scope].names.get(&program[x].name).is_some_and(|s| own(*s, m.scope)))
}

/// Gives a loop its directive.
pub(super) fn write(program: &mut Program, s: &mut Stmt, p: &Parallel, sharing: &Sharing, form: Form) {
    let depth = form.depth;
    if is_concurrent(p) {
        return concurrent(s, depth);
    }
    let acc = is_acc(p);
    let mut lanes = BTreeSet::new();
    let one_by_one = &sharing.atomic | &sharing.set;
    s.blocks_mut().into_iter().for_each(|b| inner_vectors(b, (depth, acc, &one_by_one), &mut lanes));
    let sentinel = if acc { Sentinel::Acc } else { Sentinel::Omp };
    atomic::make_atomic(program, s, &sharing.atomic, (sentinel, "atomic"));
    atomic::make_atomic(program, s, &sharing.set, (sentinel, "atomic write"));
    atomic::in_procedures(program, &sharing.atomic_in_calls, sentinel);
    let Some(asked) = p.directives.first() else { return };
    let text = text(program, s, asked, sharing, (form, &lanes));
    let sentinel = asked.directive.sentinel;
    let Ok(directive) = parse(sentinel, &text, s.origin.span()) else { return };
    let origin = Origin::Derived { from: s.id, span: asked.origin.span(), role: Role::Layout };
    let mut made = LoopDirective::new(directive, origin);
    made.leading = std::mem::take(&mut s.leading);
    made.names = named(program, asked, &text);
    s.share_out(made);
}

/// How many loops in each other there are with directives of OpenACC for a level of the device each, and nothing between them.
pub(super) fn levels(p: &Parallel, s: &Stmt) -> usize {
    let mut depth = depth(p, s);
    if is_acc(p) {
        while let Some(inner) = next_level(s, depth) {
            depth += inner.followed().map_or(1, |p| self::depth(&p, inner));
        }
    }
    depth
}

/// The only loop inside so many, where it is shared out itself.
fn next_level(s: &Stmt, depth: usize) -> Option<&Stmt> {
    let StmtKind::Do { body, .. } = &innermost(s, depth).kind else { return None };
    let [inner] = body.as_slice() else { return None };
    inner.followed().is_some_and(|p| is_acc(&p)).then_some(inner)
}

/// The directives of a loop with the clauses for levels that the loops inside have, so many with it.
pub(super) fn with_levels(p: &Parallel, s: &Stmt, all: usize) -> Parallel {
    let mut out = p.clone();
    let mut depth = depth(p, s);
    let Some(first) = out.directives.first_mut() else { return out };
    while depth < all
        && let Some(inner) = next_level(s, depth)
    {
        let Some(own) = inner.followed() else { break };
        let level = |c: &&Clause| matches!(c.kind, ClauseKind::Gang(_) | ClauseKind::Worker(_) | ClauseKind::Vector(_));
        first.directive.clauses.extend(own.directives.iter().flat_map(|d| &d.directive.clauses).filter(level).cloned());
        depth += self::depth(&own, inner);
    }
    first.directive.clauses.retain(|c| !matches!(c.kind, ClauseKind::Collapse(_)));
    first.directive.clauses.push(Clause { kind: ClauseKind::Collapse(all as u32), text: format!("collapse({all})") });
    out
}

/// The variables that the clauses mention which are kept.
fn named(program: &Program, asked: &LoopDirective, text: &str) -> Vec<SymId> {
    let words: Vec<String> = costate_grammar::ir::words(text).map(|w| w.to_ascii_lowercase()).collect();
    asked.names.iter().copied().filter(|s| words.contains(&program[*s].name.as_str().to_ascii_lowercase())).collect()
}

/// Takes away the `simd` of loops that are shared out together, of those with atomic updates, which lanes of a vector make one
/// after the other, and all within OpenACC, where OpenMP has no place. Returns
/// the variables of the loops that keep one: they would be the same for all threads. `depth` loops in each other are
/// shared out, that around the block among them.
pub(super) fn inner_vectors(
    block: &mut [Stmt],
    (depth, acc, atomic): (usize, bool, &BTreeSet<StmtId>),
    out: &mut BTreeSet<SymId>,
) {
    for s in block {
        let mut deeper = 1;
        let mut updates_atomically = false;
        for_each_stmt(std::slice::from_ref(&*s), &mut |x| updates_atomically |= atomic.contains(&x.id));
        if let StmtKind::Do { control: LoopControl::Count { var, .. }, parallel, .. } = &mut s.kind {
            let simd = parallel.as_ref().is_some_and(|p| p.region().is_some() && only_vectors(p));
            if simd && (acc || depth > 1 || updates_atomically) {
                let own = parallel.take().map(|p| p.directives).unwrap_or_default();
                s.leading.splice(0..0, own.into_iter().flat_map(|d| d.leading));
            } else if simd {
                out.insert(*var);
            }
            deeper = depth.saturating_sub(1).max(1);
        }
        s.blocks_mut().into_iter().for_each(|b| inner_vectors(b, (deeper, acc, atomic), out));
    }
}

fn text(
    program: &Program,
    s: &Stmt,
    asked: &LoopDirective,
    sharing: &Sharing,
    (form, lanes): (Form, &BTreeSet<SymId>),
) -> String {
    let depth = form.depth;
    let d = &asked.directive;
    let acc = d.acc().is_some();
    let mut words = match (&d.construct, acc) {
        (_, true) => if form.inner { "loop" } else { "parallel loop" }.to_string(),
        (Construct::Omp(OmpConstruct::Simd), _) => "simd".to_string(),
        // Loops inside take the threads of each team.
        (Construct::Omp(OmpConstruct::TargetCombined(w)), _)
            if w.ends_with("distribute") && takes_threads_inside(s) =>
        {
            "target teams distribute".to_string()
        }
        (Construct::Omp(OmpConstruct::TargetCombined(w)), _) => {
            format!("target teams distribute parallel do{}", if w.ends_with("simd") { " simd" } else { "" })
        }
        (Construct::Omp(OmpConstruct::ParallelDoSimd), _) => "parallel do simd".to_string(),
        _ => "parallel do".to_string(),
    };
    // Lanes of a vector have one variable of their thread's together.
    let of_thread = !sharing.begun.is_empty();
    let vectors =
        straight(s) && sharing.atomic.is_empty() && sharing.set.is_empty() && sharing.blocks.is_none() && !of_thread;
    let scalar = |x: &SymId| program.var(*x).is_some_and(|v| v.rank() == 0);
    if words == "parallel do" && vectors && !sharing.sums.is_empty() && sharing.sums.iter().all(scalar) {
        words += " simd";
    }
    if words.ends_with("simd") && words != "simd" && !vectors {
        words = words.trim_end_matches(" simd").to_string();
    }
    let list = |syms: &[SymId]| syms.iter().map(|x| program[*x].name.to_string()).collect::<Vec<_>>().join(", ");
    let mut out = words;
    let mut add = |name: &str, syms: &[SymId]| {
        if !syms.is_empty() {
            out += &format!(" {name}{})", list(syms));
        }
    };
    let omp_loop = !acc && d.omp() != Some(&OmpConstruct::Simd);
    let lanes = lanes.iter().filter(|v| omp_loop && !sharing.private.contains(v));
    let private: Vec<SymId> = sharing.private.iter().chain(lanes).copied().collect();
    add("private(", &private);
    // Each thread begins with an empty tape, and with zeros.
    add("firstprivate(", &[sharing.tapes.as_slice(), &sharing.zero].concat());
    add("lastprivate(", &sharing.last);
    add("copyin(", &sharing.handed_out);
    add("reduction(+:", &sharing.sums);
    sharing.reduced.iter().for_each(|(sym, operator)| add(&format!("reduction({operator}:"), &[*sym]));
    let arrays = |syms: &[SymId]| -> Vec<SymId> {
        // Named constants are no variables that could be copied.
        let array = |v: &Variable| v.rank() > 0 && !v.attrs.parameter;
        syms.iter().copied().filter(|x| program.var(*x).is_some_and(array)).collect()
    };
    match (acc, d.omp()) {
        (true, _) if !form.inner => {
            add("copyin(", &arrays(&sharing.read));
            add("copy(", &sharing.written);
        }
        (false, Some(OmpConstruct::TargetCombined(_))) => {
            add("map(to: ", &arrays(&sharing.read));
            let back: Vec<SymId> = sharing.written.iter().chain(&sharing.sums).copied().collect();
            add("map(tofrom: ", &back);
        }
        _ => {}
    }
    for c in &d.clauses {
        out += &kept(program, c, (s, sharing), depth);
    }
    out
}

/// True where a loop inside has a directive for threads.
fn takes_threads_inside(s: &Stmt) -> bool {
    let threads = |x: &Stmt| matches!(&x.kind, StmtKind::Do { parallel: Some(p), .. } if !only_vectors(p));
    s.blocks().into_iter().flatten().any(|x| threads(x) || takes_threads_inside(x))
}

/// A clause that stays, with a blank before it.
fn kept(program: &Program, c: &Clause, (s, sharing): (&Stmt, &Sharing), depth: usize) -> String {
    match &c.kind {
        ClauseKind::CopyIn(_) if !sharing.copied.is_empty() => {
            // Only where the procedure declares the block itself it can be named.
            let named = |_: &Name| c.text.contains('/');
            let name = |x: &SymId| match program.var(*x).and_then(|v| v.common.clone()).filter(named) {
                Some(block) => format!("/{block}/"),
                None => program[*x].name.to_string(),
            };
            let names: BTreeSet<String> = sharing.copied.iter().map(name).collect();
            let names: Vec<String> = names.into_iter().collect();
            format!(" {}, {})", c.text.trim_end().trim_end_matches(')'), names.join(", "))
        }
        ClauseKind::Collapse(_) if depth == 1 => String::new(),
        ClauseKind::Collapse(_) => format!(" collapse({depth})"),
        ClauseKind::Default(_) => {
            let variable = |x: &SymId| program.var(*x).is_some_and(|v| !v.attrs.parameter && has_whole(v));
            let mut all: Vec<SymId> = sharing.written.iter().chain(&sharing.read).copied().collect();
            all.extend(left_over(program, s, sharing));
            all.retain(|x| variable(x) && !program.is_of_each_thread(*x));
            let names: Vec<&str> = all.iter().map(|x| program[*x].name.as_str()).collect();
            let shared = if names.is_empty() { String::new() } else { format!(" shared({})", names.join(", ")) };
            format!(" {}{shared}", c.text)
        }
        _ => format!(" {}", c.text),
    }
}

/// Variables that stand in a loop though it does nothing with them: a procedure is given them that doesn't use them.
fn left_over(program: &Program, s: &Stmt, sharing: &Sharing) -> Vec<SymId> {
    let known = sharing.mentioned();
    let mut counted = BTreeSet::new();
    for_each_stmt(std::slice::from_ref(s), &mut |x| {
        if let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = x.kind {
            counted.insert(var);
        }
    });
    let all = mentions(program, std::slice::from_ref(s));
    all.into_keys().filter(|x| !known.contains(x) && !counted.contains(x)).collect()
}

/// True for a loop of nothing but assignments without calls.
fn straight(s: &Stmt) -> bool {
    let assignment =
        |x: &Stmt| matches!(x.kind, StmtKind::Assign { .. }) && !costate_analysis::sections::scene::calls(x);
    s.blocks().into_iter().flatten().all(assignment)
}
