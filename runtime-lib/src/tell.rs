//! Messages to standard error. Where nobody reads it any more (`model 2>&1 | head`), the program goes on without them.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes a text and ends its line.
pub(crate) fn tell(text: &dyn Display) {
    let _ = writeln!(io::stderr(), "{text}");
}
