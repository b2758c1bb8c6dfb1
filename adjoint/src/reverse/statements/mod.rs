//! The adjoints of statements, by kind.

pub(in crate::reverse) mod allocate;
pub(in crate::reverse) mod arguments;
pub(in crate::reverse) mod assign;
pub(in crate::reverse) mod call;
pub(in crate::reverse) mod matmul;
pub(in crate::reverse) mod objects;
pub(in crate::reverse) mod pointed;
pub(in crate::reverse) mod pointer;
pub(in crate::reverse) mod presence;
pub(in crate::reverse) mod recording;
mod region;
pub(in crate::reverse) mod split_call;
