//! The store-or-recompute problem as data.
//!
//! The two sweeps are a row of program points. A [`Decision`] has named options; each option adds run time, holds memory
//! over intervals of points, and may require options of other decisions. A plan picks one option for every decision. What
//! is to be decided (values, call sites, loops) and how it becomes decisions is in [`crate::item`] and [`crate::block`].
//!
//! The formulation is that of rematerialisation as an integer programme: P. Jain et al., "Checkmate: Breaking the memory
//! wall with optimal tensor rematerialization", MLSys 2020. Deciding it for the adjoint of an imperative program, under a
//! memory budget, is done in A. Boudaoud et al., "DaCe AD: Unifying high-performance automatic differentiation for machine
//! learning and scientific computing", 2025.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A store-or-recompute problem.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Problem {
    /// The program points of the forward sweep and then of the backward sweep, in the order of execution.
    pub points: Vec<Point>,
    /// What is to be decided.
    pub decisions: Vec<Decision>,
}

/// A program point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// What a report calls it.
    pub name: String,
    /// Bytes in use here whatever is decided.
    pub bytes: u64,
}

/// Something to be decided, by picking exactly one of its options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// What a report calls it.
    pub name: String,
    /// The options; at least one.
    pub options: Vec<Choice>,
}

/// One option of a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// What is done.
    pub action: Action,
    /// Added run time, in any one unit, at least zero.
    pub cost: f64,
    /// The memory it takes.
    #[serde(default)]
    pub holds: Vec<Hold>,
    /// What must be picked as well: of each list at least one.
    #[serde(default)]
    pub requires: Vec<Vec<Pick>>,
    /// Why it costs what it costs, for reports.
    #[serde(default)]
    pub reason: String,
}

/// What an option does. Points are indices into [`Problem::points`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// The value is saved in the forward sweep and held up to a point.
    Store {
        /// The last point at which the saved value is there.
        until: usize,
    },
    /// The value is recomputed where it is first needed, and held up to a point.
    Recompute {
        /// The last point at which the value is there.
        until: usize,
    },
    /// The value before an increment is got back by the opposite increment, and held up to a point.
    Undo {
        /// The last point at which the value is there.
        until: usize,
    },
    /// No recomputation needs the value at this point.
    Unused,
    /// A recomputation finds the value where it is held anyway.
    Held,
    /// A recomputation runs the computation of the value again, for itself alone.
    Rerun,
    /// A call is checkpointed: its inputs are saved, and it runs again right before its adjoint.
    Joint,
    /// A call is split into a forward and a backward procedure with a record between them.
    Split,
    /// A loop saves what all its iterations need.
    StoreAll,
    /// A loop comes to each of its iterations from the beginning.
    RecomputeEach,
    /// A loop saves its state every so many iterations and runs from there.
    SnapshotEvery(u64),
    /// A loop runs under the binomial schedule for so many snapshots.
    Revolve(u64),
    /// A loop that finds out when it ends runs under the online schedule for so many snapshots.
    Online(u64),
}

/// Memory held from one point to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    /// The first point.
    pub first: usize,
    /// The last point.
    pub last: usize,
    /// How much.
    pub bytes: u64,
}

/// An option of a decision, by their places in the problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pick {
    /// Index into [`Problem::decisions`].
    pub decision: usize,
    /// Index into [`Decision::options`].
    pub option: usize,
}

/// What makes a problem meaningless.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProblemError {
    /// A decision without options.
    #[error("nothing can be picked for '{0}'")]
    NoOption(String),
    /// A cost that is negative or not a number.
    #[error("an option of '{0}' has a cost that is negative or not finite")]
    Cost(String),
    /// An interval that is empty or goes beyond the points.
    #[error("'{0}' names program points that do not exist or run backwards")]
    Points(String),
    /// A requirement of a decision or an option that is not there, or of the decision itself.
    #[error("'{0}' requires an option that no other decision has")]
    Requirement(String),
    /// An item whose recomputation needs itself.
    #[error("the recomputation of '{0}' needs its own result")]
    Cycle(String),
    /// More bytes than can be counted.
    #[error("the sizes add up to more bytes than can be counted")]
    Size,
}

impl Problem {
    /// Whether the problem means something; everything else relies on it.
    pub fn check(&self) -> Result<(), ProblemError> {
        let mut total = self.points.iter().map(|point| u128::from(point.bytes)).max().unwrap_or(0);
        for (index, decision) in self.decisions.iter().enumerate() {
            if decision.options.is_empty() {
                return Err(ProblemError::NoOption(decision.name.clone()));
            }
            for option in &decision.options {
                self.check_option(index, option)?;
                total += option.holds.iter().map(|hold| u128::from(hold.bytes)).sum::<u128>();
            }
        }
        // Up to here every sum of sizes is exact, in whole numbers and as reals.
        if total >= 1 << 53 { Err(ProblemError::Size) } else { Ok(()) }
    }

    fn check_option(&self, index: usize, option: &Choice) -> Result<(), ProblemError> {
        let decision = &self.decisions[index];
        if !(option.cost.is_finite() && option.cost >= 0.0) {
            return Err(ProblemError::Cost(decision.name.clone()));
        }
        if option.holds.iter().any(|hold| hold.first > hold.last || hold.last >= self.points.len()) {
            return Err(ProblemError::Points(decision.name.clone()));
        }
        let exists = |pick: &Pick| {
            let other = self.decisions.get(pick.decision).filter(|_| pick.decision != index);
            other.is_some_and(|other| pick.option < other.options.len())
        };
        if !option.requires.iter().flatten().all(exists) {
            return Err(ProblemError::Requirement(decision.name.clone()));
        }
        Ok(())
    }

    /// Adds a decision and returns its index.
    pub fn decide(&mut self, name: impl Into<String>, options: Vec<Choice>) -> usize {
        self.decisions.push(Decision { name: name.into(), options });
        self.decisions.len() - 1
    }

    /// Added run time of a plan: `chosen` has the index of an option for every decision.
    pub fn cost(&self, chosen: &[usize]) -> f64 {
        self.options(chosen).map(|option| option.cost).sum()
    }

    /// Bytes in use at every point under a plan.
    pub fn memory(&self, chosen: &[usize]) -> Vec<u64> {
        let mut change = vec![0i64; self.points.len() + 1];
        for hold in self.options(chosen).flat_map(|option| &option.holds) {
            change[hold.first] += hold.bytes as i64;
            change[hold.last + 1] -= hold.bytes as i64;
        }
        let mut held = 0;
        let at = |(point, change): (&Point, &i64)| {
            held += change;
            point.bytes + held as u64
        };
        self.points.iter().zip(&change).map(at).collect()
    }

    /// The peak memory of a plan, and the first point that has it.
    pub fn peak(&self, chosen: &[usize]) -> (u64, usize) {
        let mut peak = (0, 0);
        for (point, bytes) in self.memory(chosen).into_iter().enumerate() {
            if bytes > peak.0 {
                peak = (bytes, point);
            }
        }
        peak
    }

    /// Whether a plan has all that its options require.
    pub fn is_complete(&self, chosen: &[usize]) -> bool {
        let has = |list: &Vec<Pick>| list.iter().any(|pick| chosen[pick.decision] == pick.option);
        self.options(chosen).all(|option| option.requires.iter().all(has))
    }

    /// The options of a plan.
    pub fn options<'a>(&'a self, chosen: &'a [usize]) -> impl Iterator<Item = &'a Choice> {
        self.decisions.iter().zip(chosen).map(|(decision, &option)| &decision.options[option])
    }
}

impl Choice {
    /// An option that costs run time only.
    pub fn new(action: Action, cost: f64) -> Choice {
        Choice { action, cost, holds: Vec::new(), requires: Vec::new(), reason: String::new() }
    }

    /// Adds memory held from one point to another. Nothing is added for no bytes.
    pub fn holding(mut self, first: usize, last: usize, bytes: u64) -> Choice {
        if bytes > 0 {
            self.holds.push(Hold { first, last, bytes });
        }
        self
    }

    /// Adds a requirement: at least one of the picks.
    pub fn requiring(mut self, any_of: Vec<Pick>) -> Choice {
        self.requires.push(any_of);
        self
    }

    /// Says why.
    pub fn because(mut self, reason: impl Into<String>) -> Choice {
        self.reason = reason.into();
        self
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Store { .. } => f.write_str("store"),
            Action::Recompute { .. } => f.write_str("recompute"),
            Action::Undo { .. } => f.write_str("undo"),
            Action::Unused => f.write_str("unused"),
            Action::Held => f.write_str("held"),
            Action::Rerun => f.write_str("run again"),
            Action::Joint => f.write_str("joint"),
            Action::Split => f.write_str("split"),
            Action::StoreAll => f.write_str("store all iterations"),
            Action::RecomputeEach => f.write_str("recompute each iteration"),
            Action::Revolve(s) => write!(f, "binomial schedule with {s} snapshots"),
            Action::Online(s) => write!(f, "online schedule with {s} snapshots"),
            Action::SnapshotEvery(1) => f.write_str("snapshot every iteration"),
            Action::SnapshotEvery(k) => write!(f, "snapshot every {k} iterations"),
        }
    }
}
