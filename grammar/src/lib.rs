//! Fortran text to typed IR and back: the language, its directives and MPI calls by name; no calculus.

pub mod cpp;
pub mod diag;
pub mod directives;
pub mod form;
pub mod intrinsics;
pub mod ir;
pub mod lines;
pub mod operators;
pub mod source;
pub mod units;
mod cst;
pub mod lower;
pub mod print;
pub mod program;
