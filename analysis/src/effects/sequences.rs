//! Arrays that stand for the elements of another one from some element on (15.5.2.11 of the 2018 standard): `f(x(1, 1, k))`
//! for `x(:, :, k)`.

use costate_grammar::ir::{
    Base, Callee, Designator, Dim, Expr, ExprKind, Intent, Part, Program, Subscript, SymId, Variable, for_each_expr,
};

use crate::affine::{count, difference, plus};
use crate::storage::symbols;

/// The section that has all elements for which a dummy stands: the element that is passed for it is the first one of the
/// leading dimensions, and both arrays have the same extents there, the dummy's in terms of the caller (`in_caller`).
/// `fixed` tells the variables that have one value all through the caller.
pub fn section_of_sequence(
    program: &Program,
    (dummy, actual): (SymId, &Expr),
    in_caller: &dyn Fn(&Expr) -> Option<Expr>,
    fixed: &dyn Fn(SymId) -> bool,
) -> Option<Designator> {
    let mut d = actual.as_var().filter(|_| actual.rank == 0)?.clone();
    let own = &program.var(dummy)?.dims;
    let dims = program.var(d.sym)?.dims.clone();
    let [Part::Subscripts(list)] = d.parts.as_mut_slice() else { return None };
    lead(&mut list[..], (own, &dims), in_caller, fixed)?;
    (!own.is_empty()).then_some(d)
}

/// The same where the last dimension of both arrays is one, and the element stands anywhere in it: with it begins a window.
pub fn window_of_sequence(
    program: &Program,
    (dummy, actual): (SymId, &Expr),
    in_caller: &dyn Fn(&Expr) -> Option<Expr>,
    fixed: &dyn Fn(SymId) -> bool,
) -> Option<Designator> {
    let mut d = actual.as_var().filter(|_| actual.rank == 0)?.clone();
    let (inside, outside) = (program.var(dummy)?, program.var(d.sym)?);
    let (Dim::Explicit(from, to), own) = inside.dims.split_last()? else { return None };
    let dims = outside.dims.clone();
    let [Part::Subscripts(list)] = d.parts.as_mut_slice() else { return None };
    // Characters stand one behind the other, whatever the lengths of the elements are.
    let same = inside.ty == outside.ty && inside.ty.base != Base::Character && !outside.attrs.pointer;
    if !same || list.len() != own.len() + 1 {
        return None;
    }
    lead(list, (own, &dims), in_caller, fixed)?;
    let declared = count(&from.clone().unwrap_or_else(|| Expr::int(1)), to);
    let extent = in_caller(&declared)?;
    // An extent of one may stand for any, as it did before there was `*`.
    if declared.as_int() == Some(1) || !symbols(&extent).into_iter().all(fixed) {
        return None;
    }
    let Some(Subscript::Index(at)) = list.last() else { return None };
    let mut calls = false;
    for_each_expr(at, &mut |e| {
        calls |= matches!(&e.kind, ExprKind::Call { callee, .. } if !matches!(callee, Callee::Intrinsic(_)))
    });
    if calls || at.rank > 0 {
        return None;
    }
    let (lo, hi) = (at.clone(), plus(&plus(at, &extent), &Expr::int(-1)));
    *list.last_mut()? = Subscript::Range { lo: Some(lo), hi: Some(hi), step: None };
    Some(d)
}

/// Takes the leading dimensions of an array for those of a dummy, where the element is the first one there, and the extents
/// are the same.
fn lead(
    list: &mut [Subscript],
    (own, whole): (&[Dim], &[Dim]),
    in_caller: &dyn Fn(&Expr) -> Option<Expr>,
    fixed: &dyn Fn(SymId) -> bool,
) -> Option<()> {
    let first = |lo: &Option<Expr>| lo.clone().unwrap_or_else(|| Expr::int(1));
    for (k, dim) in own.iter().enumerate() {
        let (Dim::Explicit(from, to), Dim::Explicit(lo, hi)) = (dim, whole.get(k)?) else { return None };
        let lo = first(lo);
        let at_first = matches!(list.get(k)?, Subscript::Index(e) if difference(e, &lo) == Some(0));
        let extent = in_caller(&count(&first(from), to))?;
        let room = difference(&count(&lo, hi), &extent);
        if !at_first || room != Some(0) || ![&lo, hi, &extent].into_iter().flat_map(symbols).all(fixed) {
            return None;
        }
        list[k] = Subscript::Range { lo: None, hi: None, step: None };
    }
    Some(())
}

/// True for a constant, and for an argument that nothing changes.
pub fn is_fixed(program: &Program, sym: SymId) -> bool {
    let fixed = |v: &Variable| v.attrs.parameter || v.intent == Some(Intent::In) && !v.attrs.pointer && !v.attrs.target;
    program.var(sym).is_some_and(fixed)
}
