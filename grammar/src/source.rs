//! Source files and spans: every position Costate reports is a byte range of a file as the user wrote it.

use std::fmt;

use crate::form::{Form, columns};

/// Handle of a file in a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileId(pub u32);

/// A byte range `start..end` of a user's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The file the range lies in.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from its parts.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Span { file, start, end }
    }

    /// Does the other one lie within?
    pub fn contains(&self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The smallest span that covers both; `self` alone when the files differ.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One file: its name as the user gave it, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Path as given on the command line (or resolved from an include).
    pub name: String,
    /// Text as read (invalid UTF-8 replaced before it gets here).
    pub text: String,
    /// The form that it is written in, once it is read.
    pub form: Form,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// Wraps a file's text and indexes its lines.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1));
        SourceFile { name: name.into(), text, form: Form::default(), line_starts }
    }

    /// Line and column of a byte offset, both from 1; columns count bytes.
    pub fn line_col(&self, offset: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|&s| s <= offset).max(1);
        (line, (offset - self.line_starts[line - 1]) as usize + 1)
    }

    /// Byte offset at which line `line` (from 1) starts, or the end of the text past the last line.
    pub fn line_start(&self, line: usize) -> u32 {
        self.line_starts.get(line - 1).copied().unwrap_or(self.text.len() as u32)
    }

    /// The text of line `line` (from 1) without its end; empty past the last line.
    pub fn line(&self, line: usize) -> &str {
        let text = &self.text[self.line_start(line) as usize..self.line_start(line + 1) as usize];
        text.strip_suffix('\n').map_or(text, |t| t.strip_suffix('\r').unwrap_or(t))
    }

    /// How many lines the file has.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }
}

/// All files of a run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a file and returns its handle.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId(self.files.len() as u32 - 1)
    }

    /// Notes in which form a file is written.
    pub fn set_form(&mut self, id: FileId, form: Form) {
        self.files[id.0 as usize].form = form;
    }

    /// The file of that name, if it was added.
    pub fn find(&self, name: &str) -> Option<FileId> {
        self.files.iter().position(|f| f.name == name).map(|i| FileId(i as u32))
    }

    /// The file behind a handle.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files with their handles, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }

    /// The user's text of a span.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The user's text of a statement on one line, without signs of continuation and what stands between its lines.
    pub fn statement(&self, span: Span) -> String {
        let continued = |line: &'_ str| match self.file(span.file).form {
            Form::Free => line.trim().trim_matches('&').trim().to_string(),
            Form::Fixed => columns::continued(line).unwrap_or("").trim().to_string(),
        };
        let (first, rest) = self.text(span).split_once('\n').unwrap_or((self.text(span), ""));
        let first = if rest.is_empty() { first.trim() } else { first.trim().trim_end_matches('&').trim_end() };
        let lines = std::iter::once(first.to_string()).chain(rest.lines().map(continued));
        let joined = lines.collect::<Vec<_>>().join(" ");
        joined.split_whitespace().filter(|w| *w != "&").collect::<Vec<_>>().join(" ")
    }

    /// `name:line:column` of a span's start, for messages.
    pub fn locate(&self, span: Span) -> String {
        let file = self.file(span.file);
        let (line, col) = file.line_col(span.start);
        format!("{}:{line}:{col}", file.name)
    }
}

impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "file{}", self.0)
    }
}
