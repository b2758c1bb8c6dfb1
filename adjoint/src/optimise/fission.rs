//! The adjoint of a stencil increments neighbouring elements in one iteration, which no compiler vectorises. The
//! increments are distributed over loops of their own, one for each offset, so that an iteration touches only elements
//! of its own; where it can be, these loops are fused again ([`super::peeling`]). What scalars the increments use is computed
//! again for each offset.

use std::collections::BTreeSet;

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Callee, Expr, ExprKind, LoopControl, Origin, Program, Role, Stmt, StmtId, StmtKind, SymId, for_each_expr,
};

use super::code::Code;
use super::distribution::{Part, Split, add_increment, whole};
use super::guarding::{self, Limits};
use super::pass::Pass;
use super::peeling::{fuse, shift};
use super::recurrences::before_recurrence;
use super::stages;
use crate::build::Builder;
use costate_analysis::dependence::independence::{Assignment, Body, Use, analyse, analyse_in_branches, moving};

/// Distributes the innermost loops of the backward sweep.
pub(super) fn run(code: &mut Code<'_, '_>) {
    code.in_backward(|code, backward, facts| {
        let peel = code.has(Pass::Peeling);
        *backward = distribute_in(code.b, std::mem::take(backward), &facts.private, peel);
    });
}

fn distribute_in(b: &mut Builder<'_>, block: Vec<Stmt>, private: &BTreeSet<SymId>, peel: bool) -> Vec<Stmt> {
    let mut out = Vec::new();
    for mut s in block {
        if let Some(loops) = distribute(b, &s, private, peel) {
            out.extend(loops);
            continue;
        }
        if s.is_region() {
            // A directive governs the loop as it stands.
            out.push(s);
            continue;
        }
        for inner in s.blocks_mut() {
            let stmts = std::mem::take(inner);
            *inner = distribute_in(b, stmts, private, peel);
        }
        out.push(s);
    }
    out
}

/// A counted loop as several loops, with ascending index where the order of iterations doesn't matter; `None` when it
/// stays as it is. A nest of loops is distributed over the outer one, and its main part over the next. `peel` lets these
/// loops be brought together again.
pub(super) fn distribute(b: &mut Builder<'_>, stmt: &Stmt, private: &BTreeSet<SymId>, peel: bool) -> Option<Vec<Stmt>> {
    let nest = Nest::of(b.program, stmt).filter(|_| !stmt.is_region())?;
    let device = peel && stmt.followed().is_some_and(|p| p.on_device());
    let analyse = if device { analyse_in_branches } else { analyse };
    let Some(analysed) = analyse(b.program, nest.body, &nest.vars, private) else {
        return in_two(b, stmt, &nest, private, peel);
    };
    let assigned = |e: &Expr| costate_analysis::storage::symbols(e).iter().any(|s| analysed.assigns(*s));
    if nest.bounds().any(assigned) {
        return None;
    }
    let control = ascending(stmt)?;
    if stmt.followed().and_then(|p| p.evidence).is_some_and(|e| e.asks_for_scatter()) {
        return None;
    }
    if device {
        return on_device(b, stmt, &nest, &analysed).or_else(|| in_stages(b, stmt, (&nest, &analysed), private));
    }
    let plan = split(&analysed, nest.vars[0]);
    let mut seen = BTreeSet::new();
    let twice = plan.groups.iter().flatten().any(|i| !seen.insert(*i));
    let nested = !nest.inner.is_empty();
    let one = |stmts| Part { control: control.clone(), stmts: whole(stmts), main: true };
    // In a nest, computing a scalar once more costs more than what is gained over the inner loop alone, and so do several
    // passes over its elements. What threads share out has no other way without atomic updates.
    let dear = twice && nested && stmt.followed().is_none();
    let fused = if !peel || dear { None } else { fuse(&analysed, nest.vars[0], &plan, &control) };
    let loops = match fused {
        Some(parts) => parts,
        None if nested => vec![one((0..nest.body.len()).collect())],
        None => plan.groups.into_iter().map(one).collect(),
    };
    let mut maker = Maker { b, from: stmt, nest: &nest, shown: BTreeSet::new() };
    let mut out = Vec::new();
    for part in loops {
        let main = part.main;
        let gathers = part.stmts.iter().flatten().any(|(_, by)| *by != 0);
        let mut made = maker.make(part);
        if gathers {
            note_gather(&mut made);
        }
        if let (true, StmtKind::Do { body, .. }) = (main && !nest.inner.is_empty(), &mut made.kind) {
            let inner = std::mem::take(body).into_iter();
            *body = inner.flat_map(|s| distribute(maker.b, &s, private, peel).unwrap_or_else(|| vec![s])).collect();
        }
        out.push(made);
    }
    Some(with_comments_of(stmt, out))
}

/// A nest of loops for a device, whose increments are gathered by element without anything peeled off.
fn on_device(b: &mut Builder<'_>, stmt: &Stmt, nest: &Nest<'_>, analysed: &Body<'_>) -> Option<Vec<Stmt>> {
    let overwritten = |i: usize| overwritten(analysed, i, 0..i);
    let gather = guarding::gather(analysed, &nest.vars, &|list| analysed.slice(list), &overwritten)?;
    let loops: Vec<&Stmt> = nest.loops().collect();
    let limits: Vec<Limits> = loops.iter().map(|l| limits(l)).collect::<Option<_>>()?;
    let body = gather.body(b, analysed, nest.body, (&limits, stmt));
    let mut rebuild = |controls: Vec<LoopControl>, mut body: Vec<Stmt>| {
        for (control, l) in controls.into_iter().zip(&loops).rev() {
            body = vec![b.derive(StmtKind::repeat_as(control, body, l.followed()), l, Role::Adjoint)];
        }
        body.iter_mut().for_each(note_gather);
        body
    };
    let mut out = rebuild(limits.iter().enumerate().map(|(k, l)| gather.control(k, l)).collect(), body);
    if !gather.last.is_empty() {
        let own = limits.iter().map(|(var, lo, hi)| LoopControl::Count {
            var: *var,
            lo: lo.clone(),
            hi: hi.clone(),
            step: None,
        });
        out.extend(rebuild(own.collect(), guarding::chosen(nest.body, &gather.last)));
    }
    Some(with_comments_of(stmt, out))
}

/// Loops that stand for another one, the first of them with its comments.
fn with_comments_of(stmt: &Stmt, mut loops: Vec<Stmt>) -> Vec<Stmt> {
    if let Some(first) = loops.first_mut() {
        first.leading = stmt.leading.clone();
        first.trailing = stmt.trailing.clone();
    }
    loops
}

/// Such a nest as several, one after the other.
fn in_stages(
    b: &mut Builder<'_>,
    stmt: &Stmt,
    (nest, analysed): (&Nest<'_>, &Body<'_>),
    private: &BTreeSet<SymId>,
) -> Option<Vec<Stmt>> {
    let [own, others, last] = stages::of(analysed, &nest.vars)?;
    let mut rebuild = |list: &[usize], again: bool| {
        let mut body = guarding::chosen(nest.body, list);
        if again {
            b.program.renumber(&mut body);
            body.iter_mut().for_each(|s| s.leading.clear());
        }
        for l in nest.loops().rev() {
            let StmtKind::Do { control, .. } = &l.kind else { continue };
            body = vec![b.derive(StmtKind::repeat_as(control.clone(), body, l.followed()), l, Role::Adjoint)];
        }
        body
    };
    let mut out = rebuild(&own, false);
    let added = rebuild(&others, true);
    let zeroed = if last.is_empty() { Vec::new() } else { rebuild(&last, true) };
    for s in added {
        out.extend(distribute(b, &s, private, true)?);
    }
    out.extend(zeroed);
    Some(with_comments_of(stmt, out))
}

/// Notes for loops in each other that an iteration adds up what several would add.
fn note_gather(s: &mut Stmt) {
    if let StmtKind::Do { parallel, body, .. } = &mut s.kind {
        if let Some(evidence) = parallel.as_mut().and_then(|p| p.evidence.as_mut()) {
            evidence.gathered = true;
        }
        body.iter_mut().for_each(note_gather);
    }
}

/// The variable of a loop with its least and its greatest value.
fn limits(stmt: &Stmt) -> Option<Limits> {
    match ascending(stmt)? {
        LoopControl::Count { var, lo, hi, .. } => Some((var, lo, hi)),
        _ => None,
    }
}

/// A loop whose order matters only to some of its statements: the others are distributed over loops before it.
fn in_two(
    b: &mut Builder<'_>,
    stmt: &Stmt,
    nest: &Nest<'_>,
    private: &BTreeSet<SymId>,
    peel: bool,
) -> Option<Vec<Stmt>> {
    let StmtKind::Do { control, body, .. } = &stmt.kind else { return None };
    let early = before_recurrence(b.program, control, body, private).filter(|_| nest.inner.is_empty())?;
    let (first, second) = (0..body.len()).partition::<Vec<usize>, _>(|i| early.contains(i));
    let mut part = |list: Vec<usize>, control| {
        let body = list.into_iter().map(|i| body[i].clone()).collect();
        b.derive(StmtKind::repeat_as(control, body, stmt.followed()), stmt, Role::Adjoint)
    };
    let mut first = part(first, ascending(stmt)?);
    let mut second = part(second, control.clone());
    first.leading = stmt.leading.clone();
    second.trailing = stmt.trailing.clone();
    let mut out = distribute(b, &first, private, peel)?;
    out.push(second);
    Some(out)
}

/// The header with ascending index.
pub(super) fn ascending(stmt: &Stmt) -> Option<LoopControl> {
    let StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, .. } = &stmt.kind else { return None };
    let (lo, hi) = match step.as_ref().map(Expr::as_int) {
        Some(Some(-1)) => (hi, lo),
        None | Some(Some(1)) => (lo, hi),
        Some(_) => return None,
    };
    Some(LoopControl::Count { var: *var, lo: lo.clone(), hi: hi.clone(), step: None })
}

/// Loops of which each but the innermost holds just the next one, with bounds that stand still.
struct Nest<'s> {
    /// Their variables, that of the outermost first.
    vars: Vec<SymId>,
    /// The loops inside the outermost one.
    inner: Vec<&'s Stmt>,
    outer: &'s Stmt,
    body: &'s [Stmt],
}

impl<'s> Nest<'s> {
    fn of(program: &Program, outer: &'s Stmt) -> Option<Self> {
        let mut nest = Nest { vars: Vec::new(), inner: Vec::new(), outer, body: &[] };
        let mut next = outer;
        loop {
            let StmtKind::Do { control: LoopControl::Count { var, .. }, body, .. } = &next.kind else { return None };
            // A primal loop that runs again keeps its order: the value of its variable at the end may be used.
            if !matches!(next.origin, Origin::Derived { role: Role::Adjoint, .. }) || nest.vars.contains(var) {
                return None;
            }
            nest.vars.push(*var);
            nest.body = body;
            match body.as_slice() {
                [only] if matches!(only.kind, StmtKind::Do { .. }) => next = only,
                _ => break,
            }
            nest.inner.push(next);
        }
        let moves = |e: &Expr| costate_analysis::storage::symbols(e).iter().any(|s| nest.vars.contains(s));
        let simple = nest.bounds().all(|e| !calls(e)) && (nest.inner.is_empty() || !nest.bounds().any(moves));
        let plain = nest.vars.iter().all(|v| program.var(*v).is_some());
        (simple && plain).then_some(nest)
    }

    fn bounds(&self) -> impl Iterator<Item = &'s Expr> {
        self.loops().flat_map(Stmt::exprs)
    }

    /// All of them, the outermost first.
    fn loops(&self) -> impl DoubleEndedIterator<Item = &'s Stmt> {
        std::iter::once(self.outer).chain(self.inner.iter().copied())
    }
}

struct Maker<'m, 'p> {
    b: &'m mut Builder<'p>,
    from: &'m Stmt,
    nest: &'m Nest<'m>,
    shown: BTreeSet<StmtId>,
}

impl Maker<'_, '_> {
    fn make(&mut self, part: Part) -> Stmt {
        let var = match &part.control {
            LoopControl::Count { var, .. } => Some(*var),
            _ => None,
        };
        let mut stmts = Vec::new();
        for together in part.stmts {
            let mut all = together.into_iter().map(|(i, by)| {
                let mut s = self.nest.body[i].clone();
                if !part.main || !self.shown.insert(s.id) {
                    s.id = self.b.program.fresh_stmt();
                    s.leading.clear();
                }
                if let (Some(v), StmtKind::Assign { lhs, rhs }) = (var, &mut s.kind) {
                    *lhs = shift(lhs, v, by);
                    *rhs = shift(rhs, v, by);
                }
                s
            });
            let Some(mut sum) = all.next() else { continue };
            all.for_each(|s| add_increment(&mut sum, &s));
            stmts.push(sum);
        }
        for inner in self.nest.inner.iter().rev() {
            if let StmtKind::Do { control, .. } = &inner.kind {
                let kind = StmtKind::repeat_as(control.clone(), stmts, inner.followed());
                stmts = vec![self.b.derive(kind, inner, Role::Adjoint)];
            }
        }
        // What is peeled off is a few iterations, for which it isn't worth while to start threads.
        let few = !part.main && is_limited(&part.control);
        let parallel = self.from.followed().filter(|p| !few || p.on_device());
        self.b.derive(StmtKind::repeat_as(part.control, stmts, parallel), self.from, Role::Adjoint)
    }
}

/// True where the limits of a loop are the lesser or greater of two, as those of what is peeled off are.
fn is_limited(control: &LoopControl) -> bool {
    let LoopControl::Count { lo, hi, .. } = control else { return false };
    let mut found = false;
    for e in [lo, hi] {
        for_each_expr(e, &mut |x| {
            let choice = |f: &Intrinsic| matches!(f, Intrinsic::Min | Intrinsic::Max);
            found |= matches!(&x.kind, ExprKind::Call { callee: Callee::Intrinsic(f), .. } if choice(f));
        });
    }
    found
}

/// True when a procedure of the user's is called in an expression.
fn calls(e: &Expr) -> bool {
    let mut found = false;
    for_each_expr(e, &mut |x| {
        found |= matches!(&x.kind, ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. });
    });
    found
}

/// Which statements go to which loop.
fn split(body: &Body<'_>, var: SymId) -> Split {
    let together = || Split { groups: vec![(0..body.parts.len()).collect()], rest: None };
    let mut keys: Vec<Vec<(usize, &Expr)>> = Vec::new();
    let mut of: Vec<Option<usize>> = vec![None; body.parts.len()];
    for (i, p) in body.parts.iter().enumerate() {
        if !conflicts(body, p, var) {
            continue;
        }
        let key = moving(p.lhs, var);
        let at = keys.iter().position(|k| *k == key).unwrap_or_else(|| {
            keys.push(key);
            keys.len() - 1
        });
        of[i] = Some(at);
    }
    if keys.len() < 2 {
        return together();
    }
    let groups: Vec<Vec<usize>> =
        (0..keys.len()).map(|k| body.slice((0..of.len()).filter(|i| of[*i] == Some(k)).collect())).collect();
    let rest =
        (0..of.len()).filter(|i| of[*i].is_none() && body.uses.get(&body.parts[*i].target) != Some(&Use::Private));
    let mut rest = body.slice(rest.collect());
    let (mut before, mut after) = (Vec::new(), Vec::new());
    // One of the offsets shares a loop with the other statements: the one they have themselves.
    let own = rest.iter().find(|i| !body.parts[**i].lhs.parts.is_empty()).map(|i| moving(body.parts[*i].lhs, var));
    for (key, group) in keys.iter().zip(groups) {
        if own.as_ref() == Some(key) {
            rest = group.into_iter().chain(rest).collect::<BTreeSet<_>>().into_iter().collect();
            continue;
        }
        if group.iter().all(|i| !overwritten(body, *i, 0..*i)) {
            before.push(group);
        } else if group.iter().all(|i| !overwritten(body, *i, *i..of.len())) {
            after.push(group);
        } else {
            return together();
        }
    }
    let at = before.len();
    let any = !rest.is_empty();
    before.extend(any.then_some(rest));
    before.extend(after);
    Split { groups: before, rest: any.then_some(at) }
}

/// True when other iterations increment the element that this statement increments.
fn conflicts(body: &Body<'_>, p: &Assignment<'_>, var: SymId) -> bool {
    if body.uses.get(&p.target) != Some(&Use::Increments) || p.lhs.parts.is_empty() {
        return false;
    }
    let own = moving(p.lhs, var);
    body.parts.iter().any(|q| q.target == p.target && moving(q.lhs, var) != own)
}

/// True when one of the statements at `range` assigns an array that statement `i` reads.
fn overwritten(body: &Body<'_>, i: usize, range: std::ops::Range<usize>) -> bool {
    let p = &body.parts[i];
    body.parts[range]
        .iter()
        .any(|q| body.uses.get(&q.target) == Some(&Use::Own) && p.reads.contains(&q.target) && !q.excludes(p))
}
