//! Costate: regression.
//!
//! What the tests that cross crates share: reading a case, generating its derivatives, the compiler, the run-time library.

pub mod chain;
pub mod fortran;
pub mod mutants;
pub mod random;
pub mod tool;
