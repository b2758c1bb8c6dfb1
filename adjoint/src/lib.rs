//! Costate: adjoint.
