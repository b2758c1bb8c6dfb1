//! Increments of elements that iterations may share, without atomic updates, of which `do concurrent` knows none: each
//! iteration keeps what it has for an element, in an array with an element for each iteration, and a loop behind adds it.

use std::collections::BTreeSet;

use costate_analysis::loops::step_sign;
use costate_analysis::storage::symbols;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Callee, Expr, ExprKind, LoopControl, Stmt, StmtId, StmtKind, SymId, for_each_expr, for_each_stmt,
};

use super::accesses::{Access, Accesses};
use super::references::How;

/// What iterations have for elements.
#[derive(Debug)]
pub(super) struct Handed {
    /// The element, as the statements refer to it.
    pub(super) element: Expr,
    /// The statements that add to it.
    pub(super) stmts: BTreeSet<StmtId>,
    /// The loops inside an iteration by whose variables it is found, outermost first.
    pub(super) within: Vec<LoopControl>,
    /// Its subscripts which nobody knows behind the loop.
    pub(super) kept: BTreeSet<usize>,
    /// Each iteration adds to it.
    pub(super) certain: bool,
    /// No two iterations add to the same element,
    pub(super) apart: bool,
    /// but for so many of the least and of the greatest of one loop, by its number.
    pub(super) ends: Option<(usize, [i64; 2])>,
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
    let late =
        |a: &&Access<'_>| kept.iter().all(|b| b.how == How::Added || accesses.follows(a, b) || accesses.differ(a, b));
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
    let ends = if accesses.apart(a, a) { None } else { accesses.meets_at_ends(a) };
    let apart = kept.is_empty() && (accesses.apart(a, a) || ends.is_some());
    let stmts = BTreeSet::from([a.stmt]);
    let fits = distinct && within.iter().all(steady);
    fits.then_some(Handed { element, stmts, within, kept, certain, apart, ends })
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
