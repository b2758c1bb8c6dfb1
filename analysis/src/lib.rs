//! Facts about a program. This crate makes no decisions.

pub mod normal;
pub mod request;
pub mod rules;
