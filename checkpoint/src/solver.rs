//! Names of the solvers of integer programmes, what they are asked and what they answer.

use serde::{Deserialize, Serialize};

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

/// When to stop. There is no limit of time: a plan must not depend on how fast the machine is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The relative difference between the plan and the bound at which the plan is good enough.
    pub gap: f64,
    /// The number of nodes of branch and bound.
    pub nodes: u64,
    /// The solver.
    pub solver: Solver,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { gap: 0.01, nodes: 2000, solver: Solver::default() }
    }
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

impl std::fmt::Display for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            #[cfg(feature = "cbc")]
            Solver::Cbc => "CBC",
            Solver::Microlp => "microlp",
        })
    }
}
