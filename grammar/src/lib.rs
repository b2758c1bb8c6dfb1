//! Fortran text to typed IR and back: the language, its directives and MPI calls by name; no calculus.

pub mod diag;
pub mod directives;
pub mod intrinsics;
pub mod ir;
pub mod lines;
pub mod operators;
pub mod source;
mod cst;
pub mod lower;
pub mod print;
