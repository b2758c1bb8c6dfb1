//! Store-or-recompute problems and time-loop schedules as pure data.
//!
//! What is here: the cost of the binomial schedule, the yardstick for every other way to spend a number of snapshots.

pub mod revolve;
