//! The solvers of integer programmes, which are interchangeable.

use serde::{Deserialize, Serialize};

use crate::ilp::Limits;
use crate::programme::Programme;

/// A solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// CBC, a library in C++.
    #[cfg(feature = "cbc")]
    #[default]
    Cbc,
    /// microlp, in Rust.
    #[cfg_attr(not(feature = "cbc"), default)]
    Microlp,
}

/// What a solver found.
pub(crate) struct Answer {
    /// The best solution, if one was found.
    pub(crate) values: Option<Vec<f64>>,
    /// What no solution can be less than.
    pub(crate) bound: f64,
    /// Whether the node limit ended the search.
    pub(crate) out_of_nodes: bool,
}

impl Solver {
    pub(crate) fn solve(self, programme: &Programme, start: Option<&[f64]>, limits: &Limits) -> Result<Answer, String> {
        match self {
            #[cfg(feature = "cbc")]
            Solver::Cbc => crate::cbc::solve(programme, start, limits),
            Solver::Microlp => crate::fallback::solve(programme, start, limits),
        }
    }
}

impl std::fmt::Display for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            #[cfg(feature = "cbc")]
            Solver::Cbc => "CBC",
            Solver::Microlp => "microlp",
        })
    }
}
