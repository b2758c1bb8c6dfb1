//! What runs again, what is saved and what is recomputed, decided on the tree.

pub(in crate::reverse) mod allocations;
pub(in crate::reverse) mod by_result;
pub(in crate::reverse) mod describe;
pub(in crate::reverse) mod direct;
pub(in crate::reverse) mod disjoint;
pub(in crate::reverse) mod elements;
pub(in crate::reverse) mod ends;
mod got_once;
mod left_by_calls;
pub(in crate::reverse) mod liveness;
pub(in crate::reverse) mod recompute;
pub(in crate::reverse) mod regions;
pub(in crate::reverse) mod slices;
pub(in crate::reverse) mod to_be_recorded;
pub(in crate::reverse) mod two_level;
pub(in crate::reverse) mod undo;
#[cfg(test)]
pub(in crate::reverse) mod undo_tests;
pub(in crate::reverse) mod work_arrays;
