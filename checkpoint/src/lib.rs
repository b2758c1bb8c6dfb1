//! Costate: checkpoint.
