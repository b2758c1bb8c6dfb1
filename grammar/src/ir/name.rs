use std::fmt;
use std::sync::Arc;

/// A Fortran name, stored in lower case: Fortran names don't distinguish case.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Arc<str>);

impl Name {
    /// A name from any spelling.
    pub fn new(text: &str) -> Self {
        if text.bytes().any(|b| b.is_ascii_uppercase()) {
            Name(text.to_ascii_lowercase().into())
        } else {
            Name(text.into())
        }
    }

    /// The lower-case text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The words of a text (names, keywords, numbers), with empty ones where signs follow each other.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name::new(text)
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        Name::new(&text)
    }
}

impl std::borrow::Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl std::ops::Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
