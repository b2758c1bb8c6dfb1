//! The tree of a procedure body on which the reverse pass decides: made from normal form.

pub(in crate::reverse) mod call_site;
pub(in crate::reverse) mod clocks;
pub(in crate::reverse) mod construct;
pub(in crate::reverse) mod decisions;
pub(in crate::reverse) mod fixed_point;
pub(in crate::reverse) mod flow;
pub(in crate::reverse) mod indices;
pub(in crate::reverse) mod loop_values;
pub(in crate::reverse) mod node;
