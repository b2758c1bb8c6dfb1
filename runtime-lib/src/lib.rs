//! Costate: runtime-lib.
