//! How variables are referred to.

use costate_analysis::dependence::independence::increments;
use costate_grammar::ir::Expr;

/// How a reference is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// Its value is used.
    Read,
    /// It gets a value.
    Assigned,
    /// Something is added to it, which doesn't depend on it, or on elements of it alone whose values are used: these are
    /// references of their own.
    Added,
}

/// What `rhs` adds to `lhs`; `None` for another assignment.
pub(super) fn added<'e>(lhs: &Expr, rhs: &'e Expr) -> Option<Vec<&'e Expr>> {
    lhs.as_var()?;
    increments(lhs, rhs)
}
