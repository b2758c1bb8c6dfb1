//! Facts about a program. This crate makes no decisions.

pub mod activity;
pub mod affine;
pub mod callgraph;
mod calls;
pub mod covers;
pub mod dataflow;
pub mod dependence;
pub mod devices;
pub mod effects;
pub mod externals;
pub mod loops;
pub mod normal;
pub mod operands;
pub mod polynomial;
pub mod request;
pub mod rules;
pub mod sections;
pub mod storage;
