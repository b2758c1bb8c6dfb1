//! Directives as typed values.

/// A directive attached to what it governs.
#[derive(Clone, Debug, PartialEq)]
pub struct Directive {
    /// Its text after the sentinel.
    pub text: String,
}
