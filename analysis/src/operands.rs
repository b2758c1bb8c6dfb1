//! The operands through which a value depends on variables in a differentiable way.

use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{Callee, CtorItem, Designator, Expr, ExprKind};

use crate::rules;

/// The designators in an expression that a derivative can flow through. Subscripts, conditions, arguments of inquiry
/// functions and arguments with a stated zero derivative don't count.
pub fn differentiable_operands(e: &Expr) -> Vec<&Designator> {
    let mut out = Vec::new();
    collect(e, &mut out);
    out
}

fn collect<'a>(e: &'a Expr, out: &mut Vec<&'a Designator>) {
    if !e.is_continuous() && !e.is_derived() {
        return;
    }
    match &e.kind {
        ExprKind::Var(d) => out.push(d),
        ExprKind::Call { callee: Callee::Intrinsic(f), args } => {
            if matches!(f.class(), Class::Inquiry) {
                return;
            }
            let rows = rules::partials(e, e).unwrap_or_default();
            for (i, a) in args.iter().enumerate() {
                if rows.get(i) != Some(&rules::Partial::Zero) {
                    collect(&a.value, out);
                }
            }
        }
        ExprKind::ArrayCtor { items, .. } => items.iter().for_each(|i| item(i, out)),
        ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Paren(_)
        | ExprKind::ComplexLit(..)
        | ExprKind::Call { .. }
        | ExprKind::StructCtor { .. } => e.children().into_iter().for_each(|c| collect(c, out)),
        ExprKind::Int { .. }
        | ExprKind::Real { .. }
        | ExprKind::Logical { .. }
        | ExprKind::Str(_)
        | ExprKind::Boz(_)
        | ExprKind::ProcRef(_)
        | ExprKind::Opaque(_) => {}
    }
}

fn item<'a>(i: &'a CtorItem, out: &mut Vec<&'a Designator>) {
    match i {
        CtorItem::Value(e) => collect(e, out),
        CtorItem::ImpliedDo { items, .. } => items.iter().for_each(|i| item(i, out)),
    }
}
