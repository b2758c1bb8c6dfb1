//! Store-or-recompute problems and time-loop schedules as pure data.
//!
//! What is here: the cost of the binomial schedule, the yardstick for every other way to spend a number of snapshots.

pub mod block;
#[cfg(feature = "cbc")]
mod cbc;
mod fallback;
pub mod greedy;
pub mod ilp;
pub mod item;
pub mod problem;
mod programme;
pub mod revolve;
mod solver;
