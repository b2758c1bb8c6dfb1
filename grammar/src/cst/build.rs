//! From statements to the text that the parser takes, and the parser's run.

use tree_sitter::Parser;

use super::depth::{Beyond, brackets};
use super::kinds::tables;
use super::names::respelt;
use super::{Row, Tree};
use crate::lines::LogicalLine;

/// What is put before the mask of a `forall`: the parser takes operations only.
const MASKED: &str = ".true. .and. ";

/// Gathers the text of a unit line by line, then parses it.
#[derive(Default)]
pub(crate) struct TreeBuilder {
    text: String,
    /// The same for the parser: of the same length.
    parsed: String,
    rows: Vec<Row>,
    beyond: Vec<(u32, Beyond)>,
}

impl TreeBuilder {
    /// Adds statement `line` of the file.
    pub(crate) fn push(&mut self, line: usize, logical: &LogicalLine) {
        if let Some(label) = logical.label {
            self.both(&format!("{label} "));
        }
        let text = &logical.text;
        let added = plain_mask(text).map(|at| (at, MASKED)).or_else(|| bare_final(text).map(|at| (at, ":: ")));
        match (mended(text), added) {
            (Some(text), _) => self.push_text(line, &text),
            (None, Some((at, what))) => {
                let (before, after) = text.split_at(at);
                self.push_text(line, &format!("{before}{what}{after}"));
                self.rows.last_mut().into_iter().for_each(|r| r.added = Some((at as u32, what.len() as u32)));
            }
            (None, None) => self.push_text(line, text),
        }
    }

    /// Adds text in place of statement `line`.
    pub(crate) fn push_text(&mut self, line: usize, text: &str) {
        // The parser itself takes too long over it.
        let deep = brackets(text) > Beyond::Brackets.limit();
        if deep {
            self.beyond.push((self.rows.len() as u32, Beyond::Brackets));
        }
        let text = if deep { "" } else { text };
        self.rows.push(Row { start: self.text.len() as u32, line, added: None });
        self.text.push_str(text);
        self.text.push('\n');
        self.parsed.push_str(&respelt(text).unwrap_or_else(|| text.to_string()));
        self.parsed.push('\n');
    }

    fn both(&mut self, text: &str) {
        self.text.push_str(text);
        self.parsed.push_str(text);
    }

    /// Parses what was gathered.
    pub(crate) fn parse(self) -> Tree {
        let mut tree = Tree { text: self.text, rows: self.rows, beyond: self.beyond, ..Tree::default() };
        let mut parser = Parser::new();
        let parsed = match parser.set_language(&tables().language) {
            Ok(()) => parser.parse(&self.parsed, None),
            Err(_) => None,
        };
        if let Some(parsed) = parsed {
            tree.has_error = parsed.root_node().has_error();
            tree.copy(&mut parsed.walk());
        } else {
            tree.has_error = true;
        }
        tree
    }
}

/// `character x*(16)` with the length as the parser reads it; of the same length, so that places stay as they are.
fn mended(text: &str) -> Option<String> {
    let character = text.get(..9).is_some_and(|t| t.eq_ignore_ascii_case("character"));
    if !character || !text.contains("*(") || text.contains(['\'', '"']) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(i) = rest.find("*(") {
        let (before, after) = rest.split_at(i + 2);
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && after.as_bytes().get(digits) == Some(&b')') {
            out.push_str(&before[..i + 1]);
            out.push_str(&after[..digits]);
            out.push_str("  ");
            rest = &after[digits + 1..];
        } else {
            out.push_str(before);
            rest = after;
        }
    }
    out.push_str(rest);
    Some(out)
}

/// Where the names of a `final` statement start that has no `::`, which the parser wants.
fn bare_final(text: &str) -> Option<usize> {
    let (word, rest) = text.split_at_checked(5)?;
    let mut names = rest.split(',');
    let is_name = |n: &str| {
        let n = n.trim();
        n.starts_with(|c: char| c.is_ascii_alphabetic()) && n.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    (word.eq_ignore_ascii_case("final") && rest.starts_with(' ') && names.all(is_name)).then_some(6)
}

/// Where the mask of a `forall` starts that is no operation: `m(i)`, `s%m(i)`, `(a > b)`.
fn plain_mask(text: &str) -> Option<usize> {
    let head = text.find('(')?;
    let word = text[..head].rsplit(':').next()?.trim();
    if !word.eq_ignore_ascii_case("forall") {
        return None;
    }
    let (mut depth, mut comma) = (0, None);
    for (i, c) in text.bytes().enumerate().skip(head) {
        match c {
            b'\'' | b'"' => return None,
            b'(' => depth += 1,
            b')' if depth == 1 => break,
            b')' => depth -= 1,
            b',' if depth == 1 => comma = Some(i + 1),
            _ => {}
        }
        // Anything but names and parentheses after the comma is an operation or another index.
        let plain = depth > 1 || c.is_ascii_alphanumeric() || matches!(c, b'_' | b'%' | b' ' | b',' | b')');
        if !plain {
            comma = None;
        }
    }
    comma
}
