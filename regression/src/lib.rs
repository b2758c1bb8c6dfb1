//! Costate: regression.
