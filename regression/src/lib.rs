//! Costate: regression.
//!
//! What the tests that cross crates share: reading a case, generating its derivatives, the compiler, the run-time library.

pub mod chain;
pub mod fortran;
pub mod mutants;
pub mod random;
pub mod tool;

/// The options of programs that tests generate: every form is checked on the way.
pub fn checked() -> costate_adjoint::pipeline::Options {
    costate_adjoint::pipeline::Options { check_forms: true, ..Default::default() }
}
