//! Expressions that several passes make.

use costate_analysis::affine::{difference, plus};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Base, CtorItem, Expr, ExprKind, Part, Subscript, Ty};
use costate_grammar::operators::BinaryOp;

/// The type of a number of bytes.
pub(crate) const BYTES: Ty = Ty::new(Base::Integer, 8);

/// The bounds of an array as one list.
pub(crate) fn now(e: &Expr) -> Expr {
    let bound = |f| CtorItem::Value(Expr { rank: 1, ..Expr::intrinsic(f, vec![e.clone()]) });
    let items = vec![bound(Intrinsic::Lbound), bound(Intrinsic::Ubound)];
    Expr::new(ExprKind::ArrayCtor { type_spec: None, items }, Ty::INTEGER, 1)
}

/// A section whose ranges end before their start by no more than one element where they are empty: gfortran passes others
/// with a negative size, by which the run-time library can't tell them from arrays of assumed size.
pub(crate) fn never_negative(mut e: Expr) -> Expr {
    if let ExprKind::Var(d) = &mut e.kind
        && let Some(Part::Subscripts(list)) = d.parts.last_mut()
    {
        for s in list {
            if let Subscript::Range { lo: Some(lo), hi: Some(hi), step: None } = s
                && difference(hi, lo).is_none_or(|d| d < -1)
            {
                *hi = extreme(Intrinsic::Max, hi.clone(), plus(lo, &Expr::int(-1)));
            }
        }
    }
    e
}

/// An integer in the kind of an integer type.
pub(crate) fn in_kind(e: Expr, ty: Ty) -> Expr {
    match e.as_int() {
        _ if e.ty == ty => e,
        Some(value) => Expr::literal(value as f64, ty),
        None => Expr { ty, ..Expr::intrinsic(Intrinsic::Int, vec![e, Expr::int(i64::from(ty.kind))]) },
    }
}

/// The square root of a number of steps, one at least.
pub(crate) fn root(steps: Expr) -> Expr {
    let real = Expr::intrinsic(Intrinsic::Real, vec![steps]);
    let one = Expr::literal(1.0, real.ty);
    let real = Expr::intrinsic(Intrinsic::Max, vec![one, real]);
    Expr::intrinsic(Intrinsic::Int, vec![Expr::intrinsic(Intrinsic::Sqrt, vec![real])])
}

/// `a - b` of `x + a - b`.
pub(crate) fn without_first(e: &Expr, x: &Expr) -> Option<Expr> {
    let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) = &e.kind else { return None };
    if **a == *x {
        return Some(if *op == BinaryOp::Add { (**b).clone() } else { (**b).clone().neg() });
    }
    let a = without_first(a, x)?;
    Some(if *op == BinaryOp::Add { a.add((**b).clone()) } else { a.sub((**b).clone()) })
}

/// The greater or lesser of two bounds.
pub(crate) fn extreme(function: Intrinsic, a: Expr, b: Expr) -> Expr {
    if let Some(d) = difference(&a, &b) {
        return if (d < 0) == (function == Intrinsic::Min) { a } else { b };
    }
    let ty = a.ty.promote(b.ty);
    let fit = |e: Expr| match e.as_int() {
        Some(v) if e.ty != ty => Expr::literal(v as f64, ty),
        _ => e,
    };
    Expr::intrinsic(function, vec![fit(a), fit(b)])
}
