//! Logical lines: one Fortran statement a line, without continuation or comment, with a map back to the user's file.

use crate::source::{FileId, Span};

/// A piece of a logical line that is a verbatim copy of a piece of the user's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Byte offset in [`LogicalLine::text`] at which the piece starts.
    pub offset: u32,
    /// Where the piece stands in the user's file (for text made by a macro: the place of its use).
    pub span: Span,
    /// False where the text was produced by a macro expansion and so has no byte-by-byte counterpart.
    pub verbatim: bool,
}

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogicalLine {
    /// The statement's text: no label, no continuation, no comment, no `;`, no leading blanks.
    pub text: String,
    /// The numeric statement label, if there is one.
    pub label: Option<u32>,
    /// Map from `text` to the user's file, in order of `offset`; never empty.
    pub segments: Vec<Segment>,
    /// The whole statement in the user's file, label and continuation lines included, trailing comment not.
    pub span: Span,
    /// True when text came through a macro, an include or an active `#if`, so that it can't be printed verbatim.
    pub derived: bool,
    /// True when it stands on conditional lines (`!$ `): it is a statement with OpenMP and a comment without.
    pub conditional: bool,
}

impl LogicalLine {
    /// What a `format` statement holds, parentheses included.
    pub fn format(&self) -> Option<&str> {
        self.label?;
        let word = self.text.get(..6).filter(|w| w.eq_ignore_ascii_case("format"))?;
        let list = self.text[word.len()..].trim();
        let (mut depth, mut quote) = (0_u32, None);
        for (at, c) in list.char_indices() {
            match (quote, c) {
                (Some(q), c) if q == c => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(c),
                (None, '(') => depth += 1,
                (None, ')') => depth = depth.saturating_sub(1),
                (None, _) => {}
            }
            if depth == 0 {
                return (at > 0 && at + 1 == list.len()).then_some(list);
            }
        }
        None
    }

    /// The user's position of byte `offset` of `text`.
    pub fn position(&self, offset: u32) -> Span {
        let i = self.segments.partition_point(|s| s.offset <= offset).max(1) - 1;
        let seg = self.segments[i];
        if !seg.verbatim {
            return seg.span;
        }
        let at = (seg.span.start + (offset - seg.offset)).min(seg.span.end);
        Span::new(seg.span.file, at, at)
    }

    /// The user's span of bytes `start..end` of `text`.
    pub fn span_of(&self, start: u32, end: u32) -> Span {
        if end <= start {
            return self.position(start);
        }
        let first = self.position(start);
        let last = self.position(end - 1);
        let mut span = first.to(last);
        if span.end == last.start && self.segments.iter().any(|s| s.verbatim) {
            span.end += 1;
        }
        span
    }
}

/// What stands in a side table beside the statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TriviaKind {
    /// An ordinary comment, text from `!` on.
    Comment,
    /// A directive: `omp`, `acc` or `ad`.
    /// Continuation lines are joined; the text starts after the sentinel (a vendor line's: from `!` on, not joined).
    Directive(Sentinel),
    /// A run of blank lines (how many).
    Blank(u32),
    /// A preprocessor line (`#...`) or an `include` line, as written.
    Preprocessor,
}

/// The sentinel of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sentinel {
    /// `!$omp`
    Omp,
    /// `!$acc`
    Acc,
    /// `!$ad`: Costate's own.
    Ad,
    /// Any other `!dir$`-like vendor line (`!dir$`, `!gcc$`, `!pgi$`, `!ibm*`): kept, not interpreted.
    Vendor,
}

/// A comment, directive or blank run, placed between statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trivia {
    /// What it is.
    pub kind: TriviaKind,
    /// Its text (joined, without `&`, for directives; from `!` on for comments; empty for blanks).
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Index of the statement in [`FileLines::lines`] that it stands before (or within, for a comment on a
    /// continuation line); `lines.len()` after the last one.
    pub before: usize,
    /// True for a comment that follows code on the same line: it belongs to statement `before - 1`, or, within a
    /// continued statement, to that statement.
    pub trailing: bool,
}

/// A file as logical lines plus side table.
#[derive(Clone, Debug, Default)]
pub struct FileLines {
    /// The file.
    pub file: FileId,
    /// Its statements.
    pub lines: Vec<LogicalLine>,
    /// Comments, directives, blank runs, preprocessor lines in source order.
    pub trivia: Vec<Trivia>,
}
