//! What is stored and what runs again: where there is something to decide, and what is decided there.

mod choice;
mod cost;
mod counts;
mod directive;
mod evaluate;
mod file;
mod frontier;
mod latency;
mod left_out;
mod optimise;
mod scheduled;
mod site_use;
mod sizes;
mod traffic;
mod trials;
mod ways;
mod work;

pub(crate) use cost::Costs;
pub(crate) use evaluate::{Model, plan_facts, uses};
pub use file::{Decided, PlanFile};
pub use frontier::{Trade, frontier};
pub use optimise::{Optimiser, Optimum};
pub use sizes::{ASSUMED, TRIPS, trip_counts};
pub(crate) use sizes::{FrameKey, MOST_FRAMES, Sizes, open_count, trip_names, trips};
pub(crate) use work::{Times, Work};

pub use choice::{CallChoice, Choices, Count, LoopChoice, Schedule, Site, SiteId, SiteKind, ValueChoice};
pub(crate) use directive::the_loop;
pub use directive::{Order, orders};
