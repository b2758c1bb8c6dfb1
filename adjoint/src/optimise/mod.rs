//! Arranges both sweeps of a procedure for speed, on the emitted statements. The passes are listed in `table.rs` with the
//! facts that each needs and gives; each has a file, named by the textbook term. Without any of them the code is as right
//! as with all.

mod accumulators;
#[cfg(test)]
mod alone_tests;
mod code;
mod copies;
mod dead_code;
mod distribution;
mod divide;
mod factors;
mod first_use;
mod fission;
mod fusion;
mod guarding;
mod order;
mod pass;
mod peeling;
mod private;
#[cfg(test)]
mod private_tests;
mod recurrences;
mod scalar_replacement;
mod selection;
mod simd;
mod stages;
mod statements;
mod table;
#[cfg(test)]
pub(crate) mod tests;
mod unread_saves;
mod vector_math;
mod zeroed_ends;
mod zeroing;

pub(crate) use code::Code;
pub use pass::{Pass, PassSet};
pub(crate) use private::exposed;
pub(crate) use unread_saves::drop_unread;
pub(crate) use zeroing::{Unused, whole};
