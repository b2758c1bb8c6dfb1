//! Directives as typed values.

use crate::lines::Sentinel;

/// A directive attached to what it governs.
#[derive(Clone, Debug, PartialEq)]
pub struct Directive {
    /// Its sentinel.
    pub sentinel: Sentinel,
    /// Its text after the sentinel (for a vendor line: the whole line from `!` on).
    pub text: String,
}
