//! Tangent and adjoint code: decides (plan) and builds (IR). Writes no text itself.

pub mod build;
pub mod directives;
pub mod facts;
mod halves;
pub mod interface;
pub mod internal;
pub mod lift;
pub mod memory;
pub mod names;
pub mod output;
pub mod partials;
pub mod pipeline;
pub mod plan;
pub mod precision;
pub mod procedure;
pub mod progress;
pub mod remap;
pub mod reverse;
pub mod runtime;
pub mod session;
pub mod shape;
pub mod split;
pub mod tangent;
mod text;
mod twins;
pub mod unit;
pub mod verify;
