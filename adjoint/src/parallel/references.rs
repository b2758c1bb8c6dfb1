//! How variables are referred to.

use costate_grammar::ir::{Expr, ExprKind};
use costate_grammar::operators::BinaryOp;

/// How a reference is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// Its value is used.
    Read,
    /// It gets a value.
    Assigned,
    /// Something is added to it, which doesn't depend on it.
    Added,
}

/// What `rhs` adds to `lhs`; `None` for another assignment.
pub(super) fn increments<'e>(lhs: &Expr, rhs: &'e Expr) -> Option<Vec<&'e Expr>> {
    let mut first = rhs;
    let mut out = Vec::new();
    while let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) = &first.kind {
        out.push(&**b);
        first = a;
    }
    (first == lhs && !out.is_empty()).then_some(out)
}
