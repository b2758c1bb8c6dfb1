//! Time loops in blocks and under schedules, and what their steps save.

pub(in crate::reverse) mod double_buffer;
pub(in crate::reverse) mod online;
pub(in crate::reverse) mod scheduled;
pub(in crate::reverse) mod snapshot_reads;
pub(in crate::reverse) mod state;
pub(in crate::reverse) mod step_tapes;
