//! The operands through which a value depends on variables in a differentiable way.

use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{Base, Callee, CtorItem, Designator, Expr, ExprKind};

use crate::rules;

/// The designators in an expression that a derivative can flow through. Subscripts, conditions, arguments of inquiry
/// functions and arguments with a stated zero derivative don't count.
pub fn differentiable_operands(e: &Expr) -> Vec<&Designator> {
    let mut out = Vec::new();
    any(e, Order::AsWritten, &mut |d| {
        out.push(d);
        false
    });
    out
}

/// True when one of the [`differentiable_operands`] is as wanted; when one is found the others aren't looked at.
pub fn any_differentiable_operand(e: &Expr, wanted: &mut dyn FnMut(&Designator) -> bool) -> bool {
    any(e, Order::ShortFirst, wanted)
}

/// In which order the operands of an operation are looked at.
#[derive(Clone, Copy)]
enum Order {
    AsWritten,
    /// The right one first: a long sum is a chain of operations whose left operand is the rest of it.
    ShortFirst,
}

fn any<'a>(e: &'a Expr, order: Order, wanted: &mut (impl FnMut(&'a Designator) -> bool + ?Sized)) -> bool {
    // What is of any type, or of one that isn't known, may be real.
    if !e.is_continuous() && !e.is_derived() && !matches!(e.ty.base, Base::Unlimited | Base::None) {
        return false;
    }
    match &e.kind {
        ExprKind::Var(d) => wanted(d),
        ExprKind::Call { callee: Callee::Intrinsic(f), args } => {
            if matches!(f.class(), Class::Inquiry) {
                return false;
            }
            let carried = rules::carried(e).unwrap_or_default();
            args.iter().enumerate().any(|(i, a)| carried.get(i) != Some(&false) && any(&a.value, order, wanted))
        }
        ExprKind::ArrayCtor { items, .. } => items.iter().any(|i| item(i, order, wanted)),
        ExprKind::Binary(_, a, b) => match order {
            Order::AsWritten => any(a, order, wanted) || any(b, order, wanted),
            Order::ShortFirst => any(b, order, wanted) || any(a, order, wanted),
        },
        ExprKind::Unary(..)
        | ExprKind::Paren(_)
        | ExprKind::ComplexLit(..)
        | ExprKind::Call { .. }
        | ExprKind::StructCtor { .. } => e.children().into_iter().any(|c| any(c, order, wanted)),
        ExprKind::Int { .. }
        | ExprKind::Real { .. }
        | ExprKind::Logical { .. }
        | ExprKind::Str(_)
        | ExprKind::Boz(_)
        | ExprKind::ProcRef(_)
        | ExprKind::Opaque(_) => false,
    }
}

fn item<'a>(i: &'a CtorItem, order: Order, wanted: &mut (impl FnMut(&'a Designator) -> bool + ?Sized)) -> bool {
    match i {
        CtorItem::Value(e) => any(e, order, wanted),
        CtorItem::ImpliedDo { items, .. } => items.iter().any(|i| item(i, order, wanted)),
    }
}
