//! Store-or-recompute problems as pure data, and their solution.
//!
//! A [`problem::Problem`] is what is to be decided for a whole procedure: [`item`]s to store or recompute, and [`block`]s
//! (calls and loops). [`ilp::plan`] decides it. Schedules of time loops are a crate of their own, `schedules/`, which the
//! run-time library uses too.

pub mod block;
#[cfg(feature = "cbc")]
mod cbc;
mod fallback;
pub mod greedy;
pub mod ilp;
pub mod item;
pub mod problem;
mod programme;
mod solve;
mod solver;
