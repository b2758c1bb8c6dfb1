//! Fortran text to typed IR and back: the language, its directives and MPI calls by name; no calculus.

pub mod diag;
pub mod lines;
pub mod source;
