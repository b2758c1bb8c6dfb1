//! What is stored and what runs again: where there is something to decide, and what is decided there.

mod choice;
mod directive;

pub use choice::{CallChoice, Choices, LoopChoice, Schedule, Site, SiteKind};
pub use directive::{Order, orders};
