//! Source form: physical lines to one statement a line, and the entry point that reads a file.

pub mod free;
mod options;
pub mod physical;
mod read;

pub use options::{Form, MacroFact, ReadOptions, preprocessed_by_suffix};
pub use read::{ReadFile, read};
