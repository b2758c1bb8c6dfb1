//! The loops over which a stencil's increments are distributed are brought together again by element: a loop over what is
//! incremented gathers the increments from all offsets in one pass. At both ends, where not all offsets have an iteration
//! for an element, what is left of each loop stays a short loop of its own.

use std::collections::BTreeSet;

use costate_analysis::affine::plus;
use costate_analysis::storage::{split_offset, symbols};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Designator, Expr, ExprKind, LoopControl, Part as Selector, StmtKind, Subscript, SymId, map_expr,
};

use super::distribution::{Part, Split, whole};
use crate::expressions::extreme;
use costate_analysis::dependence::independence::{Assignment, Body, Line, Use, moving};

/// A loop that takes part, with the offset from its variable to the elements that it increments.
struct Group {
    stmts: Vec<usize>,
    offset: i64,
}

/// The loops of a split brought together; `None` where they must stay apart.
pub(super) fn fuse(body: &Body<'_>, var: SymId, split: &Split, control: &LoopControl) -> Option<Vec<Part>> {
    let LoopControl::Count { lo, hi, .. } = control else { return None };
    if split.groups.len() < 2 || lo.ty != hi.ty && lo.as_int().is_none() && hi.as_int().is_none() {
        return None;
    }
    let before = split.rest.unwrap_or(split.groups.len());
    if before + 1 < split.groups.len() {
        return None;
    }
    let (rest, last) = match split.rest {
        Some(at) => last_ones(body, &split.groups[..at], &split.groups[at])?,
        None => (Vec::new(), Vec::new()),
    };
    let mut groups = Vec::new();
    for stmts in split.groups[..before].iter().chain((!rest.is_empty()).then_some(&rest)) {
        groups.push(Group { stmts: stmts.clone(), offset: offset(body, stmts, var) });
    }
    let (least, most) = (groups.iter().map(|g| g.offset).min()?, groups.iter().map(|g| g.offset).max()?);
    if least == most || most - least > 8 {
        return None;
    }
    let range = |lo: Expr, hi: Expr| LoopControl::Count { var, lo, hi, step: None };
    let by = |e: &Expr, k: i64| plus(e, &Expr::int(k));
    let mut out = Vec::new();
    groups.sort_by_key(|g| -g.offset);
    for g in groups.iter().filter(|g| g.offset < most) {
        let hi = extreme(Intrinsic::Min, by(lo, most - g.offset - 1), hi.clone());
        out.push(Part { control: range(lo.clone(), hi), stmts: whole(g.stmts.clone()), main: false });
    }
    let core = together(body, var, &groups, &rest);
    out.push(Part { control: range(by(lo, most), by(hi, least)), stmts: core, main: true });
    for g in groups.iter().rev().filter(|g| g.offset > least) {
        let lo = extreme(Intrinsic::Max, by(hi, least - g.offset + 1), by(lo, most - g.offset));
        out.push(Part { control: range(lo, hi.clone()), stmts: whole(g.stmts.clone()), main: false });
    }
    if !last.is_empty() {
        out.push(Part { control: control.clone(), stmts: whole(last), main: false });
    }
    Some(out)
}

/// The statements of all loops, shifted. An increment that needs nothing of what they assign goes with the others of its
/// element.
fn together(body: &Body<'_>, var: SymId, groups: &[Group], rest: &[usize]) -> Vec<Vec<(usize, i64)>> {
    let mut all: Vec<(usize, i64)> = groups.iter().flat_map(|g| g.stmts.iter().map(|i| (*i, -g.offset))).collect();
    let assigned: BTreeSet<Line> = all.iter().map(|(i, _)| body.parts[*i].target).collect();
    let free = |i: usize| {
        let p = &body.parts[i];
        let alone = p.reads.iter().all(|s| *s == p.target || !assigned.contains(s));
        p.increment && alone && body.uses.get(&p.target) == Some(&Use::Increments)
    };
    // The others move to those of the rest, which stay where they are.
    all.sort_by_key(|(i, _)| !rest.contains(i) && free(*i));
    let element = |(i, by): (usize, i64)| match &body.parts[i].stmt.kind {
        StmtKind::Assign { lhs, .. } => Some(shift(lhs, var, by)),
        _ => None,
    };
    let mut out: Vec<Vec<(usize, i64)>> = Vec::new();
    for s in all {
        let place = out.iter_mut().find(|o| {
            free(s.0)
                && body.parts[o[0].0].increment
                && body.parts[o[0].0].target == body.parts[s.0].target
                && element(o[0]) == element(s)
        });
        match place {
            Some(o) => o.push(s),
            None => out.push(vec![s]),
        }
    }
    out
}

/// Takes from the statements that go with no offset those that set to zero what other loops read: they come last.
pub(super) fn last_ones(body: &Body<'_>, others: &[Vec<usize>], rest: &[usize]) -> Option<(Vec<usize>, Vec<usize>)> {
    let read: BTreeSet<Line> = others.iter().flatten().flat_map(|i| body.parts[*i].reads.iter().copied()).collect();
    let (mut stay, mut last) = (Vec::new(), Vec::new());
    for (k, &i) in rest.iter().enumerate() {
        let p = &body.parts[i];
        if body.uses.get(&p.target) != Some(&Use::Own) || !read.contains(&p.target) {
            stay.push(i);
            continue;
        }
        let later = &rest[k + 1..];
        // Other assignments of the same come last, too.
        let used = |q: &Assignment<'_>| q.reads.contains(&p.target) && q.target != p.target && !p.excludes(q);
        if later.iter().any(|j| used(&body.parts[*j])) {
            return None;
        }
        last.push(i);
    }
    // What they use must not have changed by then, but for private scalars, which are computed again.
    let last = body.slice(last);
    let same = |i: &usize| {
        let p = &body.parts[*i];
        p.reads.iter().all(|s| *s == p.target || body.uses.get(s).is_none_or(|u| *u == Use::Private))
    };
    last.iter().all(same).then_some((stay, last))
}

/// The offset of the first increment to an element that moves with the loop. Iterations may be shifted by any number, but
/// only by this one do the loops meet at the same elements.
pub(super) fn offset(body: &Body<'_>, stmts: &[usize], var: SymId) -> i64 {
    let increments =
        stmts.iter().map(|i| &body.parts[*i]).filter(|p| body.uses.get(&p.target) == Some(&Use::Increments));
    let offset = |e: &Expr| {
        let (base, by) = split_offset(e);
        base.and_then(Expr::as_var).is_some_and(|d| *d == Designator::whole(var)).then_some(by)
    };
    increments.flat_map(|p| moving(p.lhs, var)).find_map(|(_, e)| offset(e)).unwrap_or(0)
}

/// The expression with `var + by` in place of the variable.
pub(super) fn shift(e: &Expr, var: SymId, by: i64) -> Expr {
    if by == 0 {
        return e.clone();
    }
    let uses = |e: &Expr| symbols(e).contains(&var);
    map_expr(e.clone(), &mut |x| match x.kind {
        ExprKind::Var(ref d) if *d == Designator::whole(var) => {
            let ty = x.ty;
            Expr { ty, ..plus(&x, &Expr::int(by)) }
        }
        ExprKind::Var(mut d) => {
            for part in &mut d.parts {
                if let Selector::Subscripts(list) = part {
                    for s in list.iter_mut() {
                        if let Subscript::Index(e) = s
                            && uses(e)
                        {
                            *e = plus(e, &Expr::int(0));
                        }
                    }
                }
            }
            Expr { kind: ExprKind::Var(d), ..x }
        }
        kind => Expr { kind, ..x },
    })
}
