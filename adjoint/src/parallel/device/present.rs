//! What procedures of the user's rely on finding on the device, where generated code keeps it on the host: objects, arrays that
//! pointers may lead to, and others that nothing else uses there. It is there while such a procedure runs.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::callgraph::{calls, reached};
use costate_analysis::devices::is_on_devices;
use costate_analysis::effects::{bind, target};
use costate_analysis::loops::assigned;
use costate_analysis::storage::holds_memory;
use costate_grammar::directives::{AccConstruct, Clause, ClauseKind, Construct, DefaultKind, Directive, parse};
use costate_grammar::ir::{
    Arg, Block, Callee, Expr, ExprKind, Origin, ProcId, Program, Role, Stmt, StmtKind, SymId, for_each_expr,
    for_each_stmt,
};
use costate_grammar::lines::Sentinel;

use super::callees::{self, Callees};
use super::code::{is_device_code, mentioned};
use super::current::Current;
use super::inside::{created_where_absent, moved_inside};
use super::parts::{named, updated};
use super::touch::Divided;
use super::{Kept, fits};
use crate::parallel::has_whole;

/// Brings to the device what called procedures rely on there, and back, unless it is kept there. Returns what can't be brought
/// back.
pub(super) fn bring(program: &mut Program, around: Around<'_>, body: &mut Block) -> BTreeSet<Divided> {
    let mut known = Known { callees: around.0, relied_on: BTreeMap::new(), divided: BTreeSet::new() };
    bring_in(program, around, body, &mut known);
    known.divided
}

/// What is known of called procedures, and of where arrays are.
type Around<'a> = (&'a Callees<'a>, &'a Kept);

/// What procedures rely on that were looked at, and what else is known of them.
struct Known<'c> {
    callees: &'c Callees<'c>,
    relied_on: BTreeMap<ProcId, Relied>,
    divided: BTreeSet<Divided>,
}

/// What a procedure relies on.
#[derive(Clone, Debug, Default, PartialEq)]
struct Relied {
    always: BTreeSet<SymId>,
    /// Where the program has it there: what is done with it would be lost otherwise, which may be meant, too.
    perhaps: BTreeSet<SymId>,
}

fn bring_in(program: &mut Program, around: Around<'_>, block: &mut Block, known: &mut Known<'_>) {
    for mut s in std::mem::take(block) {
        let leaf = s.blocks().is_empty();
        let Relied { always: mut syms, mut perhaps } =
            if leaf { of_statement(program, &s, known) } else { Relied::default() };
        perhaps.retain(|x| around.0.is_in_region(&s, *x));
        syms.extend(perhaps);
        let touch = around.0.touch(program, &s).unwrap_or_default();
        let moved = |x: &SymId| {
            let whole =
                program.var(*x).is_some_and(|v| !holds_memory(program, v.ty) && !v.attrs.pointer && has_whole(v));
            let steady = !around.1.resident.contains(x) && !touch.allocated.contains(x);
            whole && steady && !is_on_devices(program, *x)
        };
        let told = |x: &SymId| touch.flows.get(x).is_none_or(|f| f.behind_there(Current::Both).is_of_one_side());
        let (list, divided): (Vec<SymId>, Vec<SymId>) = syms.into_iter().filter(moved).partition(told);
        known.divided.extend(divided.into_iter().map(|sym| Divided { call: s.origin.span(), sym }));
        if !is_device_code(&s) {
            s.blocks_mut().into_iter().for_each(|b| bring_in(program, around, b, known));
        }
        block.push(if list.is_empty() { s } else { within_region(program, around, s, list) });
    }
}

/// A call while variables are on the device. They may have been there before: what a caller's data region has there is up to date,
/// and of others the host's is.
fn within_region(program: &mut Program, (callees, kept): Around<'_>, call: Stmt, list: Vec<SymId>) -> Stmt {
    let (from, span) = (call.id, call.origin.span());
    let origin = Origin::Derived { from, span, role: Role::Layout };
    let flows = callees.touch(program, &call).map(|t| t.flows).unwrap_or_default();
    // What the procedure relies on the program has there.
    let behind = |x: &SymId, before: Current| match flows.get(x) {
        Some(f) if before == Current::Both => f.behind_there(before),
        Some(f) => f.behind(before),
        None => before,
    };
    let (fitting, others): (Vec<SymId>, Vec<SymId>) =
        list.iter().partition(|s| fits(program, **s) || kept.entered.contains(s));
    let read: Vec<SymId> = fitting.iter().copied().filter(|x| !behind(x, Current::Device).is_of_one_side()).collect();
    let newer = |x: &SymId| {
        let before = if fitting.contains(x) && !read.contains(x) { Current::Device } else { Current::Both };
        behind(x, before) == Current::Host
    };
    let written: Vec<SymId> = list.iter().copied().filter(newer).collect();
    let back: Vec<SymId> = others.iter().copied().filter(|x| !newer(x)).collect();
    let acc = is_acc(program, &call);
    let mut directive = |[acc_words, omp_words]: [&str; 2], names: &[SymId], body| {
        let list: Vec<String> = names.iter().map(|s| program[*s].name.to_string()).collect();
        let (kind, words) = if acc { (Sentinel::Acc, acc_words) } else { (Sentinel::Omp, omp_words) };
        let directive = parse(kind, &format!("{words}{})", list.join(", ")), span).ok()?;
        let kind = StmtKind::Directive { directive, names: names.to_vec(), body };
        Some(Stmt::new(program.fresh_stmt(), kind, origin))
    };
    let mut body = Block::new();
    let mut update = |words: [&str; 2], names: &[SymId], body: &mut Block| {
        body.extend((!names.is_empty()).then(|| directive(words, names, None)).flatten());
    };
    let (to_host, to_device) = (["update self(", "target update from("], ["update device(", "target update to("]);
    update(to_host, &read, &mut body);
    update(to_device, &others, &mut body);
    body.push(call.clone());
    update(to_device, &written, &mut body);
    update(to_host, &back, &mut body);
    directive(["data copy(", "target data map(tofrom: "], &list, Some(body)).unwrap_or(call)
}

/// True where directives of called procedures are OpenACC's.
fn is_acc(program: &Program, call: &Stmt) -> bool {
    let mut found = false;
    for p in reached(program, &calls(program, std::slice::from_ref(call))) {
        for_each_stmt(&program[p].body, &mut |s| {
            found |= matches!(&s.kind, StmtKind::Directive { directive, .. } if directive.acc().is_some())
                || s.governing().iter().any(|d| d.directive.acc().is_some());
        });
    }
    found
}

/// What the procedures rely on that a statement calls. What it assigns itself it does on the host.
fn of_statement(program: &Program, s: &Stmt, known: &mut Known<'_>) -> Relied {
    let mut out = Relied::default();
    let mut add = |callee: &Callee, args: &[Arg]| {
        let Relied { always, perhaps } = of_call(program, callee, args, known);
        out.always.extend(always);
        out.perhaps.extend(perhaps);
    };
    if let StmtKind::Call { callee, args } = &s.kind {
        add(callee, args);
    }
    for e in s.exprs() {
        for_each_expr(e, &mut |x| {
            if let ExprKind::Call { callee, args } = &x.kind {
                add(callee, args);
            }
        });
    }
    let own = assigned(std::slice::from_ref(s));
    [&mut out.always, &mut out.perhaps].into_iter().for_each(|set| set.retain(|x| !own.contains(x)));
    out
}

/// The variables that a called procedure relies on finding on the device, as they are named where it is called.
fn of_call(program: &Program, callee: &Callee, args: &[Arg], known: &mut Known<'_>) -> Relied {
    let Some(proc) = target(program, callee) else { return Relied::default() };
    let inside = of_procedure(program, proc, known);
    let passed = bind(program, &program[proc], args);
    let actual = |s: SymId| match program[proc].dummies.iter().position(|d| *d == s) {
        Some(k) => passed[k].and_then(Expr::as_var).map(|d| d.sym),
        None => Some(s),
    };
    let named = |set: BTreeSet<SymId>| set.into_iter().filter_map(actual).collect();
    Relied { always: named(inside.always), perhaps: named(inside.perhaps) }
}

/// The same of a procedure: dummies, and variables from outside.
fn of_procedure(program: &Program, proc: ProcId, known: &mut Known<'_>) -> Relied {
    if let Some(known) = known.relied_on.get(&proc) {
        return known.clone();
    }
    // What one relies on that calls itself is what it relies on given that its calls do.
    let others: BTreeSet<ProcId> = known.relied_on.keys().copied().collect();
    let mut guess = Relied::default();
    loop {
        known.relied_on.retain(|p, _| others.contains(p));
        known.relied_on.insert(proc, guess.clone());
        let found = relied_on_in(program, proc, known);
        if found == guess {
            return found;
        }
        guess = found;
    }
}

fn relied_on_in(program: &Program, proc: ProcId, known: &mut Known<'_>) -> Relied {
    let mut out = Relied::default();
    in_block(program, &program[proc].body, &BTreeSet::new(), (&mut out, known));
    let mut entered = BTreeSet::new();
    for_each_stmt(&program[proc].body, &mut |s| {
        entered.extend(callees::entered(s));
        entered.extend(known.callees.touch(program, s).into_iter().flat_map(|t| t.entered));
    });
    out.always.retain(|s| !entered.contains(s));
    let body = &program[proc].body;
    out.always.extend(created_where_absent(program, body));
    out.perhaps.extend(moved_inside(program, body));
    let seen = |s: &SymId| callees::is_seen_by_callers(program, proc, *s);
    [&mut out.always, &mut out.perhaps].into_iter().for_each(|set| set.retain(seen));
    out
}

/// The same of a block inside of regions that have brought some variables there.
fn in_block(program: &Program, block: &[Stmt], brought: &BTreeSet<SymId>, (out, known): (&mut Relied, &mut Known<'_>)) {
    for s in block {
        let (mut found, mut inside) = (BTreeSet::new(), brought.clone());
        for d in s.governing() {
            found.extend(relied_on(program, d.directive, d.names, s));
            inside.extend(brings(program, d.directive, d.names));
        }
        match &s.kind {
            StmtKind::Directive { directive, names, body: None } => {
                found.extend(relied_on(program, directive, names, s));
            }
            _ => {
                let Relied { always, perhaps } = of_statement(program, s, known);
                found.extend(always);
                out.perhaps.extend(perhaps.difference(brought));
            }
        }
        out.always.extend(found.difference(brought));
        s.blocks().into_iter().for_each(|b| in_block(program, b, &inside, (&mut *out, &mut *known)));
    }
}

/// The variables that a region brings to the device, if they aren't there.
fn brings(program: &Program, d: &Directive, names: &[SymId]) -> BTreeSet<SymId> {
    use ClauseKind as K;
    let mut out = BTreeSet::new();
    for c in &d.clauses {
        if let K::Copy(list) | K::CopyIn(list) | K::CopyOut(list) | K::Create(list) = &c.kind {
            out.extend(named(program, list, names));
        }
    }
    out
}

/// What a directive relies on finding on the device; `names` are the variables that it names, `s` is the statement that it governs.
fn relied_on(program: &Program, d: &Directive, names: &[SymId], s: &Stmt) -> BTreeSet<SymId> {
    if d.construct == Construct::Acc(AccConstruct::Update) {
        let perhaps = |c: &Clause| matches!(&c.kind, ClauseKind::Other { name, .. } if name == "if_present");
        let all = if d.clauses.iter().any(perhaps) { Vec::new() } else { updated(program, d, names) };
        return all.into_iter().map(|u| u.sym).collect();
    }
    let mut out = BTreeSet::new();
    for c in &d.clauses {
        match &c.kind {
            ClauseKind::Present(list) => out.extend(named(program, list, names)),
            ClauseKind::Default(DefaultKind::Present) => {
                let counts = |x: &SymId| program.var(*x).is_some_and(|v| v.rank() > 0 || v.ty.derived().is_some());
                out.extend(mentioned(s).into_iter().filter(counts));
            }
            _ => {}
        }
    }
    out
}
