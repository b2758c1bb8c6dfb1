//! Loops of whose iterations threads run some statements by turns: `critical` and `ordered` blocks, what a lock guards,
//! atomic updates other than sums, arrays of which the largest elements are found, sums that iterations use (`scan`). Such
//! statements get a loop of their own, which runs serially, between one for what comes before them in an iteration and one
//! for what comes after them, and these keep their directives. It is what threads would do of which each runs one
//! iteration: they all come to the first turn, take turns, and go on. What an iteration hands on in variables of its own
//! is kept in arrays (loop distribution and scalar expansion: Allen and Kennedy, Optimizing Compilers for Modern
//! Architectures, 2002, chapters 5 and 6).

use std::collections::BTreeSet;

use costate_grammar::directives::{ClauseKind, Directive, OmpConstruct, parse};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Block, Callee, Expr, ExprKind, Governing, LoopDirective, Program, Stmt, StmtKind, SymId, Ty, Variable,
    for_each_expr, for_each_stmt,
};
use costate_grammar::lines::Sentinel;
use costate_grammar::operators::{BinaryOp, UnaryOp};

use super::super::context::Cx;
use super::super::subst::{self, Map};
use super::asked::{Team, one_at_a_time};
use super::kept::Kept;
use super::scans::{self, Scan};
use super::tasks::said;
use super::{counters, may_change, privates, used_in};
use crate::dataflow::variables::used_before_assigned;
use crate::dependence::independence::increments;
use crate::loops::{assigned, ends};
use crate::sections::scene::calls;
use crate::storage::{is_global, symbols};

/// A loop in parts.
pub(super) struct Parts {
    /// What stands before the loops, and what behind them.
    pub(super) around: (Block, Block),
    /// The bodies of the loops in their order, by turns one whose iterations threads share out and one whose iterations
    /// run one after the other.
    pub(super) bodies: Vec<Block>,
    /// The directives of those that are shared out.
    pub(super) own: Vec<LoopDirective>,
}

/// Puts `critical` in place of the locks by which threads take turns at statements.
pub(super) fn without_locks(cx: &mut Cx, block: Block) -> Block {
    let mut out = Block::with_capacity(block.len());
    let mut rest = block.into_iter();
    while let Some(mut s) = rest.next() {
        let set = lock(cx.program, &s, &["omp_set_lock", "omp_set_nest_lock"]);
        let until = |lock_set: &Expr| {
            let end =
                |x: &Stmt| lock(cx.program, x, &["omp_unset_lock", "omp_unset_nest_lock"]).as_ref() == Some(lock_set);
            rest.as_slice().iter().position(end)
        };
        let Some(at) = set.and_then(|l| until(&l)) else {
            for inner in s.blocks_mut() {
                let own = std::mem::take(inner);
                *inner = without_locks(cx, own);
            }
            out.push(s);
            continue;
        };
        let guarded: Block = rest.by_ref().take(at).collect();
        rest.next();
        let guarded = without_locks(cx, guarded);
        let Ok(directive) = parse(Sentinel::Omp, "critical", s.origin.span()) else { continue };
        let kind = StmtKind::Directive { directive, names: Vec::new(), body: Some(guarded) };
        out.push(cx.changed(s, kind));
    }
    out
}

/// Takes out conditions that are asked once more, by one thread at a time: `if (x > m) then`, `critical`, `if (x > m) m = x`.
pub(super) fn asked_once(block: &mut Block) {
    for s in block {
        if let Some(critical) = asked_again(s) {
            *s = critical;
        }
        s.blocks_mut().into_iter().for_each(asked_once);
    }
}

fn asked_again(s: &Stmt) -> Option<Stmt> {
    let (cond, body) = only_arm(s)?;
    let critical = said(body)?;
    let StmtKind::Directive { directive, body: Some(inside), .. } = &critical.kind else { return None };
    let exclusive = directive.omp() == Some(&OmpConstruct::Critical);
    let again = said(inside).and_then(only_arm)?;
    (exclusive && again.0 == cond).then(|| critical.clone())
}

/// The condition and the statements of a branch that has but one arm.
fn only_arm(s: &Stmt) -> Option<(&Expr, &Block)> {
    match &s.kind {
        StmtKind::If { arms, otherwise: None, .. } if arms.len() == 1 => Some((&arms[0].cond, &arms[0].body)),
        _ => None,
    }
}

/// The lock that a call of one of these procedures is given.
fn lock(program: &Program, s: &Stmt, procedures: &[&str]) -> Option<Expr> {
    if let Some([only]) = s.kind.conditional_body().map(Vec::as_slice) {
        return lock(program, only, procedures);
    }
    let StmtKind::Call { callee: Callee::Proc { sym, .. }, args } = &s.kind else { return None };
    let [only] = args.as_slice() else { return None };
    procedures.contains(&program[*sym].name.as_str()).then(|| only.value.clone())
}

/// True for a loop of whose iterations threads may run some statements by turns.
pub(super) fn has_exclusive_statements(program: &Program, stmt: &Stmt, own: &[LoopDirective], team: &Team) -> bool {
    let StmtKind::Do { body, .. } = &stmt.kind else { return false };
    if own.is_empty() || team.is_kernels() || !own.iter().all(|d| may_be_split(&d.directive)) || jumps(body) {
        return false;
    }
    let governing: Vec<Governing<'_>> = own.iter().map(LoopDirective::governing).collect();
    let mut found = !together(program, &governing).is_empty();
    for_each_stmt(body, &mut |s| found |= exclusive_body(s).is_some());
    found
}

/// The parts of a loop that has turns. `private` are variables of which each iteration has its own.
pub(super) fn parts(cx: &mut Cx, stmt: &Stmt, own: &[LoopDirective], team: &Team, private: &[SymId]) -> Option<Parts> {
    let StmtKind::Do { control, body, .. } = &stmt.kind else { return None };
    let (var, ends) = ends(control)?;
    if !is_plain(body) {
        return None;
    }
    let governing: Vec<Governing<'_>> = own.iter().map(LoopDirective::governing).collect();
    let together = together(cx.program, &governing);
    let own_values = private.iter().copied().collect();
    let mut division = Division { exclusive: BTreeSet::new(), together, own: own_values };
    division.exclusive = division.assigned_exclusively(cx.program, body)?;
    cx.at(stmt);
    let bodies = division.split(cx, body.clone())?;
    let bodies = division.in_order(cx.program, bodies);
    let shared = bodies.iter().step_by(2);
    if bodies.len() < 2 || shared.clone().all(Vec::is_empty) {
        return None;
    }
    let moved: BTreeSet<SymId> = stmt.exprs().into_iter().flat_map(symbols).collect();
    if !may_change(body).is_disjoint(&moved) || calls(stmt) {
        return None;
    }
    let mut listed: BTreeSet<SymId> = privates(cx.program, &all(&governing, team), body).into_keys().collect();
    listed.extend(all(&governing, team).iter().flat_map(|d| d.last_private(cx.program)));
    let crossing = division.crossing(cx.program, &bodies, &listed, var)?;
    let mut out = Parts { around: (Block::new(), Block::new()), bodies, own: own.iter().map(free).collect() };
    let mut map = Map::new();
    for sym in crossing {
        let v = cx.program.var(sym)?;
        let like = Expr::var(sym, v.ty, 0);
        let name = cx.program[sym].name.as_str().trim_end_matches(char::is_numeric).to_string();
        let mut kept = Kept::new(cx, &name, &like, &ends);
        out.around.0.append(&mut kept.before);
        out.around.1.append(&mut kept.after);
        map.insert(sym, kept.of(cx, var));
    }
    out.bodies.iter_mut().for_each(|b| subst::block(cx, &map, b));
    Some(out)
}

/// The directives of a loop and of what is around it.
fn all<'d>(own: &[Governing<'d>], team: &'d Team) -> Vec<Governing<'d>> {
    let around = team.directives().map(|(directive, names)| Governing { directive, names });
    own.iter().copied().chain(around).collect()
}

/// True for a directive by which threads share out whole iterations.
fn may_be_split(d: &Directive) -> bool {
    let whole = |k: &ClauseKind| match k {
        ClauseKind::Collapse(n) => *n == 1,
        ClauseKind::Other { name, text } => match name.as_str() {
            "ordered" => text.is_none(),
            "linear" | "safelen" | "auto" | "tile" => false,
            _ => true,
        },
        _ => true,
    };
    d.is_parallel() && d.omp() != Some(&OmpConstruct::Simd) && d.clauses.iter().all(|c| whole(&c.kind))
}

/// A directive without what says that iterations take turns.
fn free(d: &LoopDirective) -> LoopDirective {
    let mut out = d.clone();
    let scans = out.directive.sums_up_in_order();
    out.directive.clauses.retain(|c| match &c.kind {
        ClauseKind::Other { name, .. } => name != "ordered",
        ClauseKind::Reduction { .. } => !scans,
        _ => true,
    });
    out
}

/// True for statements of which is known what they may change: nothing reads or writes, no name stands for another variable.
fn is_plain(body: &[Stmt]) -> bool {
    let mut out = true;
    for_each_stmt(body, &mut |s| {
        let acts = matches!(s.kind, StmtKind::Assign { .. } | StmtKind::Call { .. } | StmtKind::Directive { .. });
        let holds = matches!(s.kind, StmtKind::If { .. } | StmtKind::Select { .. } | StmtKind::Do { .. });
        let others = matches!(s.kind, StmtKind::Where { .. } | StmtKind::Continue | StmtKind::Comment(_));
        out &= acts || holds || others || matches!(s.kind, StmtKind::Exit(_) | StmtKind::Cycle(_));
    });
    out
}

/// True where iterations may end before the last statement.
pub(super) fn jumps(body: &[Stmt]) -> bool {
    body.iter().any(|s| match &s.kind {
        StmtKind::Cycle(_) | StmtKind::Exit(_) | StmtKind::Return | StmtKind::Goto(_) => true,
        StmtKind::Do { body, .. } => {
            let mut out = false;
            for_each_stmt(body, &mut |x| {
                out |= matches!(x.kind, StmtKind::Return | StmtKind::Goto(_));
                out |= matches!(x.kind, StmtKind::Cycle(Some(_)) | StmtKind::Exit(Some(_)));
            });
            out
        }
        _ => s.blocks().into_iter().any(|b| jumps(b)),
    })
}

/// Arrays that iterations put together other than by sums, and what they sum up one after the other.
fn together(program: &Program, own: &[Governing<'_>]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for d in own {
        let scans = d.directive.sums_up_in_order();
        for c in &d.directive.clauses {
            let ClauseKind::Reduction { op, list } = &c.kind else { continue };
            let named = list.iter().filter_map(|item| d.named(program, item));
            let array = |s: &SymId| program.var(*s).is_some_and(|v| v.rank() > 0);
            out.extend(named.filter(|s| scans || array(s) && !matches!(op.as_str(), "+" | "-")));
        }
    }
    out
}

/// True where statements do nothing but add to variables.
fn only_add(body: &[Stmt]) -> bool {
    body.iter().all(|s| match &s.kind {
        StmtKind::Assign { lhs, rhs } => {
            lhs.as_var()
                .is_some_and(|d| increments(lhs, rhs).is_some_and(|by| by.iter().all(|e| !symbols(e).contains(&d.sym))))
                || reversed(lhs, rhs)
        }
        StmtKind::Comment(_) | StmtKind::Continue => true,
        StmtKind::If { arms, otherwise, .. } => {
            arms.iter().all(|a| only_add(&a.body)) && otherwise.as_ref().is_none_or(|b| only_add(b))
        }
        StmtKind::Do { body, .. } => only_add(body),
        _ => false,
    })
}

/// True for `x = e + x`.
fn reversed(lhs: &Expr, rhs: &Expr) -> bool {
    matches!(&rhs.kind, ExprKind::Binary(BinaryOp::Add, a, b)
        if **b == *lhs && lhs.as_var().is_some_and(|d| !symbols(a).contains(&d.sym)))
}

struct Division {
    /// What statements assign of which threads take turns at.
    exclusive: BTreeSet<SymId>,
    /// Variables at which iterations take turns wherever they stand.
    together: BTreeSet<SymId>,
    /// Variables of which each iteration has its own.
    own: BTreeSet<SymId>,
}

impl Division {
    /// What the statements assign at which threads take turns; `None` where there are none but sums.
    fn assigned_exclusively(&self, program: &Program, body: &[Stmt]) -> Option<BTreeSet<SymId>> {
        let mut assigned_there = self.together.clone();
        let mut added = BTreeSet::new();
        let mut mentioned: Vec<(bool, BTreeSet<SymId>)> = Vec::new();
        for_each_stmt(body, &mut |s| {
            if let Some(inside) = exclusive_body(s) {
                if only_add(inside) { &mut added } else { &mut assigned_there }.extend(may_change(inside));
            }
            let target = match &s.kind {
                StmtKind::Assign { lhs, rhs } if only_add(std::slice::from_ref(s)) => {
                    let adds = increments(lhs, rhs).is_some() || reversed(lhs, rhs);
                    lhs.as_var().filter(|_| adds).map(|d| d.sym)
                }
                _ => None,
            };
            let used: BTreeSet<SymId> =
                s.exprs().into_iter().flat_map(symbols).filter(|x| Some(*x) != target).collect();
            mentioned.push((target.is_some(), used));
        });
        // A sum that iterations use on its way isn't one.
        added.retain(|s| !self.own.contains(s) && mentioned.iter().any(|m| m.1.contains(s)));
        assigned_there.extend(added);
        // Procedures that are called may change what has a name elsewhere, too, and so may assignments by other names.
        let mut called = false;
        for_each_stmt(body, &mut |s| called |= exclusive_body(s).is_some_and(|b| calls_procedures(b)));
        let elsewhere = |s: &SymId| other_names(program, *s) || called && is_global(program, *s);
        if called || assigned_there.iter().any(|s| other_names(program, *s)) {
            assigned_there.extend(used_in(body).into_iter().filter(elsewhere));
        }
        assigned_there.retain(|s| !self.own.contains(s));
        (!assigned_there.is_empty()).then_some(assigned_there)
    }

    /// The statements of iterations, by turns such as may run at the same time and others. `None` where that isn't told.
    fn split(&mut self, cx: &mut Cx, mut body: Block) -> Option<Vec<Block>> {
        let mut out = vec![Block::new()];
        let mut latest = scans::taken_out(cx.program, &mut body, &self.together)?;
        let mut rest = body.into_iter();
        while let Some(s) = rest.next() {
            if let StmtKind::Directive { directive, body: None, .. } = &s.kind {
                if let Some((kind, list)) = scans::scanned(directive) {
                    let map = self.sums_now(cx, &list, last(&mut out, true))?;
                    let mut behind: Block = rest.collect();
                    let seeing = if kind == Scan::Inclusive { &mut behind } else { &mut latest };
                    subst::block(cx, &map, seeing);
                    behind.append(&mut latest);
                    rest = behind.into_iter();
                    continue;
                }
                if one_at_a_time(directive) || directive.omp().is_some_and(|c| matches!(c, OmpConstruct::Other(_))) {
                    return None;
                }
            }
            self.statement(cx, s, &mut out)?;
        }
        Some(out)
    }

    /// Has an iteration keep the sums as they are after its turn, for what follows it.
    fn sums_now(&mut self, cx: &mut Cx, list: &[&str], behind: &mut Block) -> Option<Map> {
        let mut map = Map::new();
        for sym in self.together.clone() {
            let name = cx.program[sym].name.as_str().to_string();
            if !list.iter().any(|n| n.eq_ignore_ascii_case(&name)) {
                continue;
            }
            let whole = cx.program.var(sym).filter(|v| v.rank() == 0).map(|v| Expr::var(sym, v.ty, 0))?;
            let now = cx.scalar(&name, whole.ty, &whole);
            self.own.extend(now.as_var().map(|d| d.sym));
            behind.push(cx.assign(now.clone(), whole));
            map.insert(sym, now);
        }
        Some(map)
    }

    fn statement(&mut self, cx: &mut Cx, mut s: Stmt, out: &mut Vec<Block>) -> Option<()> {
        if let Some(inside) = exclusive_body(&s).filter(|b| !used_in(b).is_disjoint(&self.exclusive)) {
            let mut inside = inside.clone();
            // Only what an atomic update adds, say, isn't computed by turns in the primal.
            let guarded =
                Some(&OmpConstruct::Critical) == construct(&s) || Some(&OmpConstruct::Ordered) == construct(&s);
            self.hand_over(cx, &mut inside, !guarded, out);
            cx.inherit(&s, &mut inside);
            last(out, true).extend(inside);
            return Some(());
        }
        let own: BTreeSet<SymId> = s.exprs().into_iter().flat_map(symbols).collect();
        if matches!(s.kind, StmtKind::Assign { .. }) && !own.is_disjoint(&self.together) {
            let mut inside = vec![s];
            self.hand_over(cx, &mut inside, true, out);
            last(out, true).extend(inside);
            return Some(());
        }
        let (mut within, mut alone) = (false, true);
        for_each_stmt(std::slice::from_ref(&s), &mut |x| {
            let touches = !x.exprs().into_iter().all(|e| symbols(e).is_disjoint(&self.together));
            within |= touches || exclusive_body(x).is_some_and(|b| !used_in(b).is_disjoint(&self.exclusive));
            alone &= exclusive_body(x).is_none()
                && (!touches || assigned(std::slice::from_ref(x)).is_subset(&self.together));
        });
        match &mut s.kind {
            _ if !within => last(out, false).push(s),
            // What is put together, or a loop over its elements.
            StmtKind::Do { .. } | StmtKind::If { .. } if alone => last(out, true).push(s),
            StmtKind::If { arms, otherwise, .. } if arms.len() == 1 && own.is_disjoint(&self.together) => {
                let arm = arms.pop()?;
                let otherwise = otherwise.take().unwrap_or_default();
                cx.at(&s);
                let flag = Expr::var(cx.flag("taken"), Ty::LOGICAL, 0);
                self.own.extend(flag.as_var().map(|d| d.sym));
                let set = cx.assign(flag.clone(), arm.cond);
                last(out, false).push(set);
                let (yes, no) = (self.split(cx, arm.body)?, self.split(cx, otherwise)?);
                for at in 0..yes.len().max(no.len()) {
                    let part = |p: &Vec<Block>| p.get(at).cloned().unwrap_or_default();
                    self.either(cx, &flag, (part(&yes), part(&no)), last(out, at % 2 == 1));
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// One of two blocks.
    fn either(&self, cx: &mut Cx, flag: &Expr, (yes, no): (Block, Block), out: &mut Block) {
        let cond = if yes.is_empty() {
            Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(flag.clone())), flag.ty, 0)
        } else {
            flag.clone()
        };
        match (yes.is_empty(), no.is_empty()) {
            (true, true) => {}
            (true, false) => out.push(cx.if_else(cond, no, Block::new())),
            _ => out.push(cx.if_else(cond, yes, no)),
        }
    }

    /// Has an iteration compute before its turn what it contributes, where it doesn't depend on others' turns.
    fn hand_over(&mut self, cx: &mut Cx, inside: &mut Block, calls: bool, out: &mut Vec<Block>) {
        let [stmt] = inside.as_mut_slice() else { return };
        cx.at(stmt);
        let StmtKind::Assign { lhs, rhs } = &mut stmt.kind else { return };
        let fits = |e: &Expr| {
            let mut simple = true;
            for_each_expr(e, &mut |x| {
                simple &= calls || !matches!(&x.kind, ExprKind::Call { callee: Callee::Proc { .. }, .. })
            });
            let work = !e.children().is_empty() && e.as_var().is_none();
            simple && work && e.rank == 0 && e.ty.is_numeric() && symbols(e).is_disjoint(&self.exclusive)
        };
        let own = lhs.clone();
        let amounts: Vec<&mut Expr> = if fits(rhs) {
            vec![rhs]
        } else {
            match &mut rhs.kind {
                ExprKind::Binary(_, a, b) => vec![&mut **a, &mut **b],
                ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Max | Intrinsic::Min), args } => {
                    args.iter_mut().map(|a| &mut a.value).collect()
                }
                _ => Vec::new(),
            }
        };
        for e in amounts.into_iter().filter(|e| **e != own && fits(e)) {
            let value = cx.scalar("value", e.ty, e);
            self.own.extend(value.as_var().map(|d| d.sym));
            // Turns before it may be behind it, where it doesn't use what these leave.
            let mut block = out.len() - 1;
            if block % 2 == 1 {
                let stands = may_change(&out[block]).is_disjoint(&symbols(e));
                block = if stands { block - 1 } else { block + 1 };
            }
            out.resize_with(out.len().max(block + 1), Block::new);
            out[block].push(cx.assign(value.clone(), std::mem::replace(e, value)));
        }
    }

    /// Parts between which other iterations would change what one thread finds unchanged are one: exclusive statements of the
    /// same variables, with all between them.
    fn in_order(&self, program: &Program, mut bodies: Vec<Block>) -> Vec<Block> {
        let meet = |a: &[Stmt], b: &[Stmt]| {
            let used: BTreeSet<SymId> = used_in(a).intersection(&used_in(b)).copied().collect();
            let changed: BTreeSet<SymId> = may_change(a).union(&may_change(b)).copied().collect();
            let same = used.iter().any(|s| changed.contains(s) && !self.own.contains(s));
            let named = |b: &[Stmt]| used_in(b).into_iter().any(|s| other_names(program, s));
            let hidden = changed.iter().any(|s| other_names(program, *s)) && named(a) && named(b);
            same || hidden || calls_procedures(a) || calls_procedures(b)
        };
        let mut at = 1;
        while at < bodies.len() {
            let later = (at + 2..bodies.len()).step_by(2);
            match later.rev().find(|k| meet(&bodies[at], &bodies[*k])) {
                Some(last) => {
                    let rest: Vec<Block> = bodies.drain(at + 1..=last).collect();
                    bodies[at].extend(rest.into_iter().flatten());
                }
                None => at += 2,
            }
        }
        bodies
    }

    /// The variables by which an iteration hands something on from one part to a later one; `None` where it does so by
    /// something of which no array is made.
    fn crossing(
        &self,
        program: &Program,
        bodies: &[Block],
        listed: &BTreeSet<SymId>,
        var: SymId,
    ) -> Option<BTreeSet<SymId>> {
        let (mut out, mut changed) = (BTreeSet::new(), BTreeSet::new());
        let counts = counters(&bodies.concat());
        for (at, body) in bodies.iter().enumerate() {
            let exposed = used_before_assigned(program, body);
            for sym in used_in(body).into_iter().filter(|s| *s != var) {
                let Some(v) = program.var(sym) else { continue };
                let scalar = v.rank() == 0 && !v.attrs.allocatable && !v.attrs.pointer;
                let plain = scalar && (v.ty.is_numeric() || v.ty.base == Base::Logical);
                let used = exposed.contains(&sym) && changed.contains(&sym);
                match self.own.contains(&sym) {
                    // No element of an array counts a loop's iterations.
                    true if used && counts.contains(&sym) => return None,
                    true if plain && used => drop(out.insert(sym)),
                    true if plain => {}
                    // It changes while an iteration uses it.
                    false if plain && at % 2 == 0 && self.exclusive.contains(&sym) => return None,
                    _ if (listed.contains(&sym) || v.directive) && changed.contains(&sym) => return None,
                    _ => {}
                }
            }
            changed.extend(may_change(body));
        }
        let exposed = used_before_assigned(program, &bodies.concat());
        let scalar = |s: SymId| program.var(s).is_some_and(|v| v.rank() == 0);
        let carried = |s: &SymId| changed.contains(s) && exposed.contains(s) && scalar(*s) && !self.own.contains(s);
        (!listed.iter().any(carried)).then_some(out)
    }
}

/// True for memory that may have other names.
fn other_names(program: &Program, sym: SymId) -> bool {
    program.var(sym).is_some_and(Variable::has_other_names)
}

/// True where a user's procedure is called.
fn calls_procedures(body: &[Stmt]) -> bool {
    let mut found = false;
    for_each_stmt(body, &mut |s| found |= calls(s));
    found
}

/// The construct of OpenMP around statements.
fn construct(s: &Stmt) -> Option<&OmpConstruct> {
    match &s.kind {
        StmtKind::Directive { directive, .. } => directive.omp(),
        _ => None,
    }
}

/// The last block of parts, or a new one, for statements at which threads take turns or for others.
fn last(parts: &mut Vec<Block>, exclusive: bool) -> &mut Block {
    if parts.len().is_multiple_of(2) != exclusive {
        parts.push(Block::new());
    }
    let at = parts.len() - 1;
    &mut parts[at]
}

/// The statements that threads run by turns.
pub(super) fn exclusive_body(s: &Stmt) -> Option<&Block> {
    match &s.kind {
        StmtKind::Directive { directive, body: Some(body), .. } if one_at_a_time(directive) => {
            (directive.omp() != Some(&OmpConstruct::Task)).then_some(body)
        }
        _ => None,
    }
}
