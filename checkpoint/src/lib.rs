//! Store-or-recompute problems and time-loop schedules as pure data.
//!
//! A schedule is a stream of [`action::Action`]s that reverses the steps of a time loop within a budget. `revolve` is the
//! yardstick, a number of states in memory; the others spend memory or disk in other ways, or don't know the number of
//! steps. [`action::Simulator`] says of any stream whether it is legal and what it costs.
//!
//! A [`problem::Problem`] is what is to be decided for a whole procedure: [`item`]s to store or recompute, and [`block`]s
//! (calls and loops). [`ilp::plan`] decides it.

pub mod action;
pub mod block;
#[cfg(feature = "cbc")]
mod cbc;
pub mod dynamic;
mod fallback;
pub mod greedy;
pub mod ilp;
pub mod item;
pub mod mixed;
pub mod multistage;
pub mod online;
pub mod problem;
mod programme;
pub mod reversal;
pub mod revolve;
mod solver;
mod table;
