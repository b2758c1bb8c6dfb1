//! The operands through which a value depends on variables in a differentiable way.

use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{Base, Callee, CtorItem, Designator, Expr, ExprKind};

use crate::rules;

/// The designators in an expression that a derivative can flow through. Subscripts, conditions, arguments of inquiry
/// functions and arguments with a stated zero derivative don't count.
pub fn differentiable_operands(e: &Expr) -> Vec<&Designator> {
    let mut out = Vec::new();
    any(e, &mut |d| {
        out.push(d);
        false
    });
    out
}

/// True when one of the [`differentiable_operands`] is as wanted; those after it aren't looked at.
pub fn any_differentiable_operand(e: &Expr, wanted: &mut dyn FnMut(&Designator) -> bool) -> bool {
    any(e, wanted)
}

fn any<'a>(e: &'a Expr, wanted: &mut (impl FnMut(&'a Designator) -> bool + ?Sized)) -> bool {
    // What is of any type may be real.
    if !e.is_continuous() && !e.is_derived() && e.ty.base != Base::Unlimited {
        return false;
    }
    match &e.kind {
        ExprKind::Var(d) => wanted(d),
        ExprKind::Call { callee: Callee::Intrinsic(f), args } => {
            if matches!(f.class(), Class::Inquiry) {
                return false;
            }
            let rows = rules::partials(e, e).unwrap_or_default();
            let carries = |i: usize| rows.get(i) != Some(&rules::Partial::Zero);
            args.iter().enumerate().any(|(i, a)| carries(i) && any(&a.value, wanted))
        }
        ExprKind::ArrayCtor { items, .. } => items.iter().any(|i| item(i, wanted)),
        ExprKind::Binary(_, a, b) => any(a, wanted) || any(b, wanted),
        ExprKind::Unary(..)
        | ExprKind::Paren(_)
        | ExprKind::ComplexLit(..)
        | ExprKind::Call { .. }
        | ExprKind::StructCtor { .. } => e.children().into_iter().any(|c| any(c, wanted)),
        ExprKind::Int { .. }
        | ExprKind::Real { .. }
        | ExprKind::Logical { .. }
        | ExprKind::Str(_)
        | ExprKind::Boz(_)
        | ExprKind::ProcRef(_)
        | ExprKind::Opaque(_) => false,
    }
}

fn item<'a>(i: &'a CtorItem, wanted: &mut (impl FnMut(&'a Designator) -> bool + ?Sized)) -> bool {
    match i {
        CtorItem::Value(e) => any(e, wanted),
        CtorItem::ImpliedDo { items, .. } => items.iter().any(|i| item(i, wanted)),
    }
}
