//! Increments of elements that iterations of `do concurrent` may share, where the language has no atomic update: each
//! iteration keeps what it has for an element, in an array with an element for each iteration, and a loop behind adds it.

use std::collections::BTreeSet;

use costate_analysis::loops::step_sign;
use costate_analysis::storage::symbols;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Block, Callee, Expr, ExprKind, LoopControl, Origin, Part, Program, Role, ScopeId, Stmt, StmtId, StmtKind,
    Subscript, SymId, for_each_expr, for_each_stmt,
};

use super::Form;
use super::accesses::{Access, Accesses};
use super::concurrent::concurrent;
use super::elements::{Index, Indexed, index, limits, replace, where_there_is_some};
use super::references::How;
use crate::names::Taken;

/// What iterations have for elements.
#[derive(Debug)]
pub(super) struct Handed {
    /// The element, as the statements refer to it.
    element: Expr,
    /// The statements that add to it.
    pub(super) stmts: BTreeSet<StmtId>,
    /// The loops inside an iteration by whose variables it is found, outermost first.
    within: Vec<LoopControl>,
    /// Its subscripts which nobody knows behind the loop.
    kept: BTreeSet<usize>,
    /// Each iteration adds to it.
    certain: bool,
    /// No two iterations add to the same element.
    pub(super) apart: bool,
}

/// Divides the increments of an array among those that stay in the loop, since no other iteration has the same elements, and
/// those that are handed over. `None` where that isn't possible.
pub(super) fn divide(
    accesses: &Accesses<'_, '_>,
    body: &[Stmt],
    (added, all): (&[&Access<'_>], &[&Access<'_>]),
) -> Option<Vec<Handed>> {
    let own = |a: &Access<'_>| added.iter().any(|b| std::ptr::eq(*b, a)) && !a.by_call;
    let (mut open, mut kept): (Vec<&Access<'_>>, Vec<&Access<'_>>) = all.iter().partition(|a| own(a));
    let apart = |a: &Access<'_>, others: &[&Access<'_>]| others.iter().all(|b| accesses.apart(a, b));
    if !added.iter().all(|a| own(a) || apart(a, &kept)) {
        return None;
    }
    let mut handed = Vec::new();
    // What meets itself first: without it others may stay.
    open.sort_by_key(|a| accesses.apart(a, a));
    for a in open {
        if accesses.apart(a, a) && apart(a, &kept) {
            kept.push(a);
        } else {
            handed.push(a);
        }
    }
    // What is added later is nothing to what is done with the element in the same iteration.
    let late = |a: &&Access<'_>| {
        kept.iter().all(|b| b.how == How::Added || accesses.follows(a, b) || accesses.never_meet(a, b))
    };
    if !handed.iter().all(late) {
        return None;
    }
    let mut out: Vec<Handed> = Vec::new();
    for a in handed {
        let one = of(accesses, body, a)?;
        let known = out.iter_mut().find(|h| h.element == one.element && h.within == one.within && h.kept.is_empty());
        match known {
            Some(known) => {
                known.stmts.extend(one.stmts);
                known.certain |= one.certain;
            }
            None => out.push(one),
        }
    }
    Some(out)
}

/// What iterations have by one statement.
fn of(accesses: &Accesses<'_, '_>, body: &[Stmt], a: &Access<'_>) -> Option<Handed> {
    let (mut element, mut around) = (None, Vec::new());
    for_each_stmt(body, &mut |s| {
        if let StmtKind::Assign { lhs, .. } = &s.kind
            && s.id == a.stmt
        {
            element = Some(lhs.clone());
        }
        if let StmtKind::Do { control, body, .. } = &s.kind {
            let mut inside = false;
            for_each_stmt(body, &mut |x| inside |= x.id == a.stmt);
            around.extend(inside.then_some(control));
        }
    });
    let element = element.filter(|e| e.rank == 0)?;
    let counted = |c: &LoopControl| if let LoopControl::Count { var, .. } = c { Some(*var) } else { None };
    let inner: BTreeSet<SymId> = around.iter().filter_map(|c| counted(c)).collect();
    let unknown = |e: &Expr| {
        let mut called = false;
        for_each_expr(e, &mut |x| {
            called |= matches!(&x.kind, ExprKind::Call { callee, .. } if !matches!(callee, Callee::Intrinsic(_)))
        });
        called || symbols(e).iter().any(|x| accesses.assigned.contains(x) && !inner.contains(x))
    };
    let subscripts = element.children();
    let kept: BTreeSet<usize> = (0..subscripts.len()).filter(|k| unknown(subscripts[*k])).collect();
    let used: BTreeSet<SymId> = subscripts.into_iter().flat_map(symbols).collect();
    let counts = |c: &&LoopControl| counted(c).is_some_and(|var| used.contains(&var));
    let within: Vec<LoopControl> = around.iter().copied().filter(|c| !kept.is_empty() || counts(c)).cloned().collect();
    let steady = |c: &LoopControl| match c {
        LoopControl::Count { lo, hi, step, .. } => {
            step_sign(step.as_ref()).is_some()
                && [Some(lo), Some(hi), step.as_ref()].into_iter().flatten().all(|e| accesses.is_steady(e))
        }
        _ => false,
    };
    let distinct = within.iter().filter_map(counted).collect::<BTreeSet<_>>().len() == within.len();
    let certain = a.certain || a.is_unconditional() && within.len() == around.len();
    let apart = kept.is_empty() && accesses.apart(a, a);
    let stmts = BTreeSet::from([a.stmt]);
    let fits = distinct && within.iter().all(steady);
    fits.then_some(Handed { element, stmts, within, kept, certain, apart })
}

/// True where more is done at once than what the loop behind does anyway.
pub(super) fn is_worth_it(handed: &[Handed], body: &[Stmt]) -> bool {
    let mut more = handed.iter().any(|h| h.apart);
    for_each_stmt(body, &mut |s| match &s.kind {
        StmtKind::Assign { rhs, .. } if handed.iter().any(|h| h.stmts.contains(&s.id)) => {
            let cheap = |f: &Intrinsic| matches!(f, Intrinsic::Max | Intrinsic::Min | Intrinsic::Abs | Intrinsic::Mod);
            for_each_expr(rhs, &mut |x| match &x.kind {
                ExprKind::Call { callee: Callee::Intrinsic(f), .. } => more |= !cheap(f),
                ExprKind::Call { .. } => more = true,
                _ => {}
            });
        }
        StmtKind::Assign { .. } | StmtKind::Call { .. } => more = true,
        _ => {}
    });
    more
}

/// Lets iterations hand something over. Returns what comes before and behind the loop.
pub(super) fn hand_over(
    program: &mut Program,
    s: &mut Stmt,
    (handed, form): (&Handed, Form),
    (scope, names): (ScopeId, &mut Taken),
) -> [Block; 2] {
    let Some(of) = handed.element.as_var().map(|d| d.sym) else { return Default::default() };
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
    let inside = handed.within.iter().filter_map(|c| match c {
        LoopControl::Count { var, lo, hi, step } => Some(index(*var, lo, hi, step.as_ref())),
        _ => None,
    });
    let mut indices: Vec<Index> = limits(s, form.depth).into_iter().chain(inside).collect();
    // The innermost loop runs along the first dimension.
    indices.reverse();
    let base = format!("{}_parts", program[of].name);
    let amounts = Indexed::new(program, (of, handed.element.ty, &[]), (&base, &indices), (scope, names));
    let mut before = amounts.begin(program, origin);
    let mut element = handed.element.clone();
    let (mut places, mut number) = (Vec::new(), 0);
    element = map_children(element, &mut |e| {
        let kept = handed.kept.contains(&number);
        number += 1;
        if !kept {
            return e;
        }
        let base = format!("{}_at", program[of].name);
        let place = Indexed::new(program, (of, e.ty, &[]), (&base, &indices), (scope, names));
        before.extend(place.begin(program, origin));
        let at = place.element();
        places.push((place, e));
        at
    });
    note_places(program, s, (handed, &places));
    replace(s, &handed.element, &|id| handed.stmts.contains(&id), &amounts.element());
    let mut after = vec![behind(program, s, (handed, form), (element, amounts.element()))];
    after.push(amounts.free(program, origin));
    after.extend(places.iter().map(|(place, _)| place.free(program, origin)));
    [before, after]
}

/// An expression with other subscripts, in the order in which `children` has them.
fn map_children(e: Expr, f: &mut dyn FnMut(Expr) -> Expr) -> Expr {
    let ExprKind::Var(mut d) = e.kind else { return e };
    for part in &mut d.parts {
        let Part::Subscripts(list) = part else { continue };
        for s in list {
            if let Subscript::Index(i) = s {
                *i = f(i.clone());
            }
        }
    }
    Expr { kind: ExprKind::Var(d), ..e }
}

/// Keeps subscripts before the statements that use them.
fn note_places(program: &mut Program, s: &mut Stmt, (handed, places): (&Handed, &[(Indexed, Expr)])) {
    for block in s.blocks_mut() {
        for mut inner in std::mem::take(block) {
            note_places(program, &mut inner, (handed, places));
            if handed.stmts.contains(&inner.id) {
                for (place, e) in places {
                    let kind = StmtKind::Assign { lhs: place.element(), rhs: e.clone() };
                    block.push(Stmt::new(program.fresh_stmt(), kind, inner.origin));
                }
            }
            block.push(inner);
        }
    }
}

/// The loop that adds to the element what iterations have handed over.
fn behind(program: &mut Program, s: &Stmt, (handed, form): (&Handed, Form), (element, amount): (Expr, Expr)) -> Stmt {
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
    let add = StmtKind::Assign { lhs: element.clone(), rhs: element.add(amount.clone()) };
    let mut out = Stmt::new(program.fresh_stmt(), add, origin);
    if !handed.certain {
        out = where_there_is_some(program, out, &amount);
    }
    let mut at = s;
    let mut controls = Vec::new();
    while let StmtKind::Do { control, body, .. } = &at.kind
        && controls.len() < form.depth
    {
        controls.push(control.clone());
        let Some(inner) = body.first() else { break };
        at = inner;
    }
    controls.extend(handed.within.iter().cloned());
    for control in controls.into_iter().rev() {
        out = Stmt::new(program.fresh_stmt(), StmtKind::repeat(control, vec![out]), origin);
    }
    if handed.apart {
        concurrent(&mut out, form.depth);
    }
    out
}
