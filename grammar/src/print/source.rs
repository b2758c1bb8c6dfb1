//! A user's file as it is, with insertions and replacements: what isn't edited stays byte for byte.

use super::fixed::{fit, fixed};
use crate::form::Form;
use crate::lines::FileLines;
use crate::source::{FileId, SourceMap, Span};

/// A change to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Puts text at a byte offset.
    Insert {
        /// The offset.
        at: u32,
        /// The text.
        text: String,
    },
    /// Puts lines before a statement (an index into [`FileLines::lines`]), on lines of their own; past the last statement,
    /// at the end of the file.
    Before {
        /// The statement.
        statement: usize,
        /// The lines.
        text: String,
    },
    /// Replaces a span. An empty text removes it.
    Replace {
        /// What is replaced.
        span: Span,
        /// The new text.
        text: String,
    },
}

impl Edit {
    /// Puts lines before the statement that stands at `at` (before an `end module`, a `contains`).
    pub fn before(lines: &FileLines, at: Span, text: impl Into<String>) -> Edit {
        let same = |s: Span| s.file == at.file;
        let statement =
            lines.lines.iter().position(|l| same(l.span) && l.span.end > at.start).unwrap_or(lines.lines.len());
        Edit::Before { statement, text: text.into() }
    }
}

/// One edit in bytes of the file.
struct Change {
    start: usize,
    end: usize,
    text: String,
}

/// A file with its edits. Edits may come in any order; those at the same place keep theirs. Where replaced spans overlap,
/// both texts stand where the first one began. Line ends are those of the file. Edits that lie in other files don't count.
pub fn file(sources: &SourceMap, file: FileId, lines: &FileLines, edits: &[Edit]) -> String {
    let text = sources.file(file).text.as_str();
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut changes: Vec<Change> =
        edits.iter().filter_map(|e| change(text, file, lines, e, sources.file(file).form)).collect();
    changes.sort_by_key(|c| c.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for c in changes {
        if c.start > at {
            out.push_str(&text[at..c.start]);
        }
        out.push_str(&line_ends(&c.text, newline));
        at = at.max(c.start).max(c.end);
    }
    out.push_str(&text[at..]);
    out
}

fn change(text: &str, file: FileId, lines: &FileLines, edit: &Edit, form: Form) -> Option<Change> {
    match edit {
        Edit::Insert { at, text: new } => {
            let at = boundary(text, *at);
            Some(Change { start: at, end: at, text: placed(text, at, form, new) })
        }
        Edit::Replace { span, text: new } => {
            let (start, end) = (boundary(text, span.start), boundary(text, span.end));
            (span.file == file).then(|| Change { start, end: end.max(start), text: placed(text, start, form, new) })
        }
        Edit::Before { statement, text: new } => {
            let new = if form == Form::Fixed { &fixed(new) } else { new };
            Some(before(text, file, lines, *statement, new))
        }
    }
}

/// A part of a statement as it stands at a place: in fixed form it goes on in the next line where this one is full.
fn placed(text: &str, at: usize, form: Form, new: &str) -> String {
    let column = at - text[..at].rfind('\n').map_or(0, |i| i + 1);
    if form == Form::Fixed { fit(new, column) } else { new.to_string() }
}

/// Lines before a statement: at the start of its line when it is the first there, else its line is divided.
fn before(text: &str, file: FileId, lines: &FileLines, statement: usize, new: &str) -> Change {
    let mut new = new.to_string();
    if !new.is_empty() && !new.ends_with('\n') {
        new.push('\n');
    }
    // A statement from an included file is represented by the next one of this file.
    let own = lines.lines.iter().skip(statement).find(|l| l.span.file == file);
    let Some(line) = own else {
        if !text.is_empty() && !text.ends_with('\n') {
            new.insert(0, '\n');
        }
        return Change { start: text.len(), end: text.len(), text: new };
    };
    let at = boundary(text, line.span.start);
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    if text[start..at].trim().is_empty() {
        return Change { start, end: start, text: new };
    }
    let lead: String = text[start..at].chars().take_while(|c| c.is_whitespace()).collect();
    Change { start: at, end: at, text: format!("\n{new}{lead}") }
}

/// The nearest place at or before `at` that can be cut.
fn boundary(text: &str, at: u32) -> usize {
    let mut at = (at as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn line_ends(text: &str, newline: &str) -> String {
    if newline == "\n" { text.to_string() } else { text.replace("\r\n", "\n").replace('\n', newline) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::{LogicalLine, Segment};
    use crate::source::SourceFile;

    fn set(text: &str, statements: &[&str]) -> (SourceMap, FileId, FileLines) {
        let mut sources = SourceMap::default();
        let id = sources.add(SourceFile::new("a.f90", text));
        let mut lines = FileLines { file: id, ..FileLines::default() };
        for s in statements {
            let start = text.find(s).expect("statement") as u32;
            let span = Span::new(id, start, start + s.len() as u32);
            let segments = vec![Segment { offset: 0, span, verbatim: true }];
            lines.lines.push(LogicalLine {
                text: (*s).into(),
                label: None,
                segments,
                span,
                derived: false,
                conditional: false,
            });
        }
        (sources, id, lines)
    }

    #[test]
    fn untouched() {
        for text in ["", "x = 1", "  x = 1 ! é\r\n\r\n\t y\n\n"] {
            let (sources, id, lines) = set(text, &[]);
            assert_eq!(file(&sources, id, &lines, &[]), text);
        }
    }

    #[test]
    fn lines_before_a_statement() {
        let (sources, id, lines) = set("  a = 1; b = 2\r\n  c = 3", &["a = 1", "b = 2", "c = 3"]);
        let edit = |statement| [Edit::Before { statement, text: "  new\n".into() }];
        assert_eq!(file(&sources, id, &lines, &edit(0)), "  new\r\n  a = 1; b = 2\r\n  c = 3");
        assert_eq!(file(&sources, id, &lines, &edit(1)), "  a = 1; \r\n  new\r\n  b = 2\r\n  c = 3");
        let third = Edit::before(&lines, lines.lines[2].span, "  new");
        assert_eq!(file(&sources, id, &lines, &[third]), "  a = 1; b = 2\r\n  new\r\n  c = 3");
        assert_eq!(file(&sources, id, &lines, &edit(3)), "  a = 1; b = 2\r\n  c = 3\r\n  new\r\n");
    }

    #[test]
    fn edits_in_any_order() {
        let (sources, id, lines) = set("abcdef\n", &[]);
        let insert = |at, text: &str| Edit::Insert { at, text: text.into() };
        let replace = |a, b, text: &str| Edit::Replace { span: Span::new(id, a, b), text: text.into() };
        let edits = [insert(6, "!"), replace(1, 3, "X"), insert(0, "1"), insert(0, "2"), replace(2, 4, "Y")];
        assert_eq!(file(&sources, id, &lines, &edits), "12aXYef!\n");
        let elsewhere = Edit::Replace { span: Span::new(FileId(7), 0, 3), text: "no".into() };
        assert_eq!(file(&sources, id, &lines, &[elsewhere]), "abcdef\n");
        assert_eq!(file(&sources, id, &lines, &[insert(99, "z")]), "abcdef\nz");
    }
}
