//! `matmul` stays `matmul`: of arrays that have names, to an array that shares no memory with them. What else it stands for
//! in a program is brought to that with temporaries. Compilers have much better code for it than for loops, and may be told
//! to call a library.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Arg, Callee, Designator, Expr, ExprKind, Part, Stmt, Subscript, for_each_expr};

use super::context::Cx;
use super::designator::{Dimension, array_part, declared};
use super::intrinsic::argument;
use super::temporary::{Around, room};
use crate::storage::{Overlap, overlap};

/// True for a product of matrices, or of one and a vector, of numbers.
pub(super) fn is_product(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Matmul), .. }) && e.ty.is_numeric()
}

/// True where a product stands in an expression.
pub(super) fn has_product(e: &Expr) -> bool {
    let mut found = false;
    for_each_expr(e, &mut |e| found |= is_product(e));
    found
}

/// The array of a factor, which may be transposed.
fn matrix(factor: &Expr) -> &Expr {
    match &factor.kind {
        ExprKind::Call { callee: Callee::Intrinsic(f @ Intrinsic::Transpose), args } => {
            argument(*f, args, "matrix").unwrap_or(factor)
        }
        _ => factor,
    }
}

/// True for a factor that may stand in a product as it is: an array with a name, or a transposed one. With `dense`, it is
/// multiplied with a vector.
pub(super) fn is_factor(cx: &Cx, e: &Expr, dense: bool) -> bool {
    is_named(cx, matrix(e), dense)
}

/// True for an array or a section that ends a reference, every element of which it holds once. With `dense`, its elements
/// follow each other in each dimension: the adjoint visits them in loops.
fn is_named(cx: &Cx, e: &Expr, dense: bool) -> bool {
    let Some(d) = e.as_var() else { return false };
    let Some(part) = array_part(cx.program, d) else { return false };
    let ends = match part.subscripts {
        None => part.at == d.parts.len(),
        Some(_) => part.at + 1 == d.parts.len(),
    };
    let Some(dimensions) = cx.dimensions(d).filter(|_| ends) else { return false };
    dimensions.iter().all(|k| match k {
        Dimension::Triplet { step, .. } => !dense || step.is_none(),
        Dimension::Vector(_) => false,
    })
}

/// The value of a product with named factors in a temporary array.
pub(super) fn stored(cx: &mut Cx, e: &Expr, around: &mut Around) -> Option<Expr> {
    let bounds: Option<Vec<_>> = (0..usize::from(e.rank)).map(|k| cx.range(e, k)).collect();
    let whole = room(cx, "prod", e.ty, e, bounds?, around);
    let set = cx.assign(all_of(cx, &whole), e.clone());
    around.before.push(set);
    Some(whole)
}

/// True when a product with named factors may be assigned to `lhs` as it stands.
pub(super) fn may_go_to(cx: &Cx, lhs: &Expr, e: &Expr) -> bool {
    let (Some(target), ExprKind::Call { args, .. }) = (lhs.as_var(), &e.kind) else { return false };
    let vector = args.iter().any(|a| a.value.rank == 1);
    let apart = |a: &Arg| matrix(&a.value).as_var().is_some_and(|d| overlap(cx.program, target, d) == Overlap::Apart);
    lhs.ty == e.ty && lhs.rank == e.rank && is_named(cx, lhs, vector) && args.iter().all(apart)
}

/// The assignment of a product with named factors.
pub(super) fn assignment(cx: &mut Cx, lhs: &Expr, e: Expr) -> Stmt {
    cx.assign(all_of(cx, lhs), e)
}

/// An allocatable array as the section that is all of it: an assignment to that gives it no shape.
fn all_of(cx: &Cx, lhs: &Expr) -> Expr {
    let Some(d) = lhs.as_var() else { return lhs.clone() };
    let whole = !matches!(d.parts.last(), Some(Part::Subscripts(_)));
    if !whole || !declared(cx.program, d).is_some_and(|v| v.attrs.allocatable) {
        return lhs.clone();
    }
    let mut parts = d.parts.clone();
    parts.push(Part::Subscripts(vec![Subscript::Range { lo: None, hi: None, step: None }; usize::from(lhs.rank)]));
    Expr { kind: ExprKind::Var(Designator { sym: d.sym, parts }), ..lhs.clone() }
}
