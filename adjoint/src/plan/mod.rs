//! What is stored and what runs again: where there is something to decide, and what is decided there.

mod choice;
mod cost;
mod sizes;

pub(crate) use cost::Costs;
pub use sizes::ASSUMED;
pub(crate) use sizes::{FrameKey, Sizes};

pub use choice::{CallChoice, Choices, LoopChoice, Schedule, Site, SiteKind};
