//! Time-loop schedules as pure data.
//!
//! A schedule is a stream of [`action::Action`]s that reverses the steps of a time loop within a budget. `revolve` is the
//! yardstick, a number of states in memory; the others spend memory or disk in other ways, or don't know the number of
//! steps. [`action::Simulator`] says of any stream whether it is legal and what it costs.
//!
//! The run-time library executes these streams, and a program linked with it needs no solver: so they are apart from the
//! programmes by which plans are found.

pub mod action;
pub mod dynamic;
pub mod mixed;
pub mod multistage;
pub mod online;
pub mod reversal;
pub mod revolve;
mod table;
