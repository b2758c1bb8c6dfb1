//! Source form: physical lines to one statement a line, and the entry point that reads a file.

mod blanks;
pub(crate) mod columns;
mod fixed;
pub mod free;
mod keywords;
mod options;
pub mod physical;
mod read;
mod spacing;

pub use options::{FixedLayout, Form, MacroFact, ReadOptions, preprocessed_by_suffix};
pub use read::{ReadFile, read};
