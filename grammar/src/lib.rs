//! Fortran text to typed IR and back: the language, its directives and MPI calls by name; no calculus.

pub mod check;
pub mod cpp;
mod cst;
pub mod diag;
pub mod directives;
pub mod form;
pub mod intrinsics;
pub mod ir;
pub mod lines;
pub mod lower;
pub mod operators;
pub mod print;
pub mod program;
pub mod source;
pub mod units;
