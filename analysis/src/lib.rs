//! Costate: analysis.
