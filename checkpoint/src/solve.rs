//! The solvers of integer programmes, which are interchangeable.

use crate::programme::Programme;
use crate::solver::{Answer, Limits, Solver};

/// Minimises with the solver of the limits, beginning from the values of a solution if there is one.
pub(crate) fn solve(programme: &Programme, start: Option<&[f64]>, limits: &Limits) -> Result<Answer, String> {
    match limits.solver {
        #[cfg(feature = "cbc")]
        Solver::Cbc => crate::cbc::solve(programme, start, limits),
        Solver::Microlp => crate::fallback::solve(programme, start, limits),
    }
}
