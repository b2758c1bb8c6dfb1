//! Diagnostics: what was wrong, where, why, and the way out. The catalogue of codes lives in [`Code`].

pub mod code;
pub mod render;

pub use code::Code;

use crate::source::Span;

/// How bad it is. Only notes and errors exist: a warning is never the answer where a derivative would be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Information the user may want.
    Note,
    /// Harmless but worth a look (an undefined macro in `#if`, an unused head variable).
    Warning,
    /// The input is refused.
    Error,
}

/// One message to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Entry of the catalogue.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where.
    pub span: Option<Span>,
    /// Further places with a word on each.
    pub labels: Vec<(Span, String)>,
    /// The reason.
    pub reason: Option<String>,
    /// The way out.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span: Some(span),
            labels: Vec::new(),
            reason: None,
            help: None,
        }
    }

    /// An error without a place (a missing head, say).
    pub fn global(code: Code, message: impl Into<String>) -> Self {
        let mut d = Diagnostic::error(code, Span::default(), message);
        d.span = None;
        d
    }

    /// The same with another severity.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Adds the reason.
    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Adds the way out.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a further place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }
}
