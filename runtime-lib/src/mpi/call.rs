//! Calls of the library's procedures, as its messages name them.

use std::cell::Cell;
use std::ffi::c_char;
use std::fmt::{self, Display, Formatter};

/// The address of the last argument: where the program has the call that this stands for, as generated code passes it, a text
/// in parentheses such as `(halo.f90:42)`. Null where nobody says so.
pub(super) type At = *const c_char;

/// A call of a procedure of the library.
#[derive(Clone, Copy)]
pub(super) struct Call {
    name: &'static str,
    at: At,
}

// SAFETY: the text is a constant of the program's.
unsafe impl Send for Call {}

thread_local! {
    static LAST: Cell<Option<Call>> = const { Cell::new(None) };
}

impl Call {
    /// A call that begins; it is the [`last`](Self::last) of its thread then.
    pub(super) fn begin(name: &'static str, at: At) -> Self {
        let call = Self { name, at };
        LAST.set(Some(call));
        call
    }

    /// A call that nothing in the user's program stands for.
    pub(super) const fn own(name: &'static str) -> Self {
        Self { name, at: std::ptr::null() }
    }

    /// Whether it is one of a tangent.
    pub(super) fn is_tangent(&self) -> bool {
        self.name.ends_with("_d")
    }

    /// The last call that this thread has begun.
    pub(super) fn last() -> Option<Self> {
        LAST.get()
    }

    /// The text of the place with its parentheses.
    pub(super) fn place(&self) -> Option<String> {
        const LONGEST: usize = 300;
        if self.at.is_null() {
            return None;
        }
        let mut text = Vec::new();
        // SAFETY: generated code passes a text that ends with a parenthesis, and has none before.
        while let byte = unsafe { self.at.add(text.len()).cast::<u8>().read() }
            && text.len() < LONGEST
        {
            text.push(byte);
            if byte == b')' {
                break;
            }
        }
        Some(String::from_utf8_lossy(&text).into_owned())
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.place() {
            Some(place) => write!(f, "{} {place}", self.name),
            None => f.write_str(self.name),
        }
    }
}
