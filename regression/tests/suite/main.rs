//! The tests that cross crates, in one program: what one of them leaves of the processors, others use.

mod again;
mod cases;
mod diagnostics;
mod generated;
mod memory;
mod mutants;
mod online;
mod parallel;
mod planned;
mod plans;
mod random;
mod readme;
mod real;
mod roundtrip;
mod schedules;
mod snapshots;
mod table;
mod tapes;
mod tidy;
mod verify;
