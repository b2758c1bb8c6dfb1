//! Tangent and adjoint code: decides (plan) and builds (IR). Writes no text itself.

pub mod pipeline;
pub mod progress;
pub mod verify;
