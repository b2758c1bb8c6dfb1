//! Both sweeps as statements, written from the tree with its decisions.

pub(in crate::reverse) mod around;
pub(in crate::reverse) mod comments;
pub(in crate::reverse) mod crossing;
pub(in crate::reverse) mod fixed_point;
pub(in crate::reverse) mod halves;
pub(in crate::reverse) mod heads;
pub(in crate::reverse) mod ledger;
pub(in crate::reverse) mod outputs;
pub(in crate::reverse) mod rerun;
pub(in crate::reverse) mod reuse;
pub(in crate::reverse) mod slots;
pub(in crate::reverse) mod sweeps;
pub(in crate::reverse) mod taped;
pub(in crate::reverse) mod tapes;
pub(in crate::reverse) mod verify;
pub(in crate::reverse) mod zero;
