//! How variables are referred to.

use costate_analysis::dependence::independence::increments;
use costate_analysis::storage::symbols;
use costate_grammar::ir::Expr;

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

/// What `rhs` adds to `lhs`, where that doesn't depend on the variable; `None` for another assignment.
pub(super) fn added<'e>(lhs: &Expr, rhs: &'e Expr) -> Option<Vec<&'e Expr>> {
    let sym = lhs.as_var()?.sym;
    increments(lhs, rhs).filter(|list| !list.iter().any(|e| symbols(e).contains(&sym)))
}
