//! Dataflow: how facts go through the statements of a body.
//!
//! `graph.rs` says in which order statements are executed, `engine.rs` solves problems on that. A problem is a small file: what
//! a fact is, how facts of two ways are joined, what a statement does to one. None of them knows how constructs are executed.

pub mod distinct;
pub mod engine;
pub mod flow;
pub mod graph;
mod own_elements;
pub mod useful;
pub mod variables;
pub mod varied;

#[cfg(test)]
mod tests;
