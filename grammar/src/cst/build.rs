//! From statements to the text that the parser takes, and the parser's run.

use tree_sitter::Parser;

use super::depth::{Beyond, brackets};
use super::kinds::tables;
use super::names::respelt;
use super::tokens::tokens;
use super::{Row, Tree};
use crate::lines::LogicalLine;
use crate::units::{EndOf, StatementClass, UnitKind, classify};

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
        let Some(parsed) = parsed else {
            tree.has_error = true;
            return tree;
        };
        tree.has_error = parsed.root_node().has_error();
        if tree.has_error && tree.beyond.is_empty() {
            tree.faults = faults(&mut parser, &self.parsed);
        }
        tree.copy(&mut parsed.walk());
        tree
    }
}

/// More faulty statements than this aren't listed for a unit.
const MOST_FAULTS: usize = 16;

/// The rows of the statements that the parser can't make sense of. After one fault it may misread all that follows, so each
/// statement is tried alone.
fn faults(parser: &mut Parser, text: &str) -> Vec<u32> {
    let rows: Vec<&str> = text.lines().collect();
    let statement =
        |row: &&str| -> String { row.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ').to_string() };
    let class = |row: &&str| -> Option<Block> {
        match classify(&statement(row)) {
            StatementClass::TypeDefinition => Some(Block::Opens(EndOf::Type)),
            StatementClass::Interface => Some(Block::Opens(EndOf::Interface)),
            StatementClass::Head(..) | StatementClass::Contains | StatementClass::End(..) => Some(Block::Frame),
            StatementClass::Other => None,
        }
    };
    let module = rows
        .first()
        .is_some_and(|r| matches!(classify(r), StatementClass::Head(UnitKind::Module | UnitKind::Submodule, _)));
    let frame = if module { "module" } else { "subroutine" };
    let mut broken = |inside: &str| {
        let text = format!("{frame} s\n{inside}\nend {frame}\n");
        parser.parse(&text, None).is_some_and(|t| t.root_node().has_error())
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < rows.len() && found.len() < MOST_FAULTS {
        let (first, row) = (at, rows[at]);
        at += 1;
        let fault = match class(&row) {
            Some(Block::Opens(end)) => {
                let closes = |r: &&str| matches!(classify(r), StatementClass::End(of, _) if of == end);
                at = rows[at..].iter().position(closes).map_or(rows.len(), |n| at + n + 1);
                broken(&rows[first..at].join("\n"))
            }
            Some(Block::Frame) => !balanced(row),
            None => !balanced(row) || closed(&statement(&row)).is_some_and(|end| broken(&format!("{row}\n{end}"))),
        };
        if fault {
            found.push(first as u32);
        }
    }
    found
}

/// What a statement is to the unit.
enum Block {
    Opens(EndOf),
    /// Head, `contains` or end.
    Frame,
}

/// What has to follow a statement for the two to stand alone; `None` where it takes more than that.
fn closed(text: &str) -> Option<String> {
    let words = tokens(text);
    let word = |i: usize| words.get(i).map_or("", |t| &text[t.range()]).to_ascii_lowercase();
    let start = if word(1) == ":" { 2 } else { 0 };
    let end = match word(start).as_str() {
        "if" if word(words.len().saturating_sub(1)) == "then" => "end if".to_string(),
        "do" if word(start + 1).starts_with(|c: char| c.is_ascii_digit()) => format!("{} continue", word(start + 1)),
        "do" => "end do".to_string(),
        "select" | "selectcase" | "selecttype" | "selectrank" => "end select".to_string(),
        "associate" => "end associate".to_string(),
        "block" => "end block".to_string(),
        // With a construct's name, and whatever else needs what stands around it.
        "else" | "elseif" | "elsewhere" | "case" | "contains" | "rank" | "where" | "forall" | "critical" | "change"
        | "enum" | "enumerator" => return None,
        "type" | "class" if word(start + 1) == "is" || word(start + 1) == "default" => return None,
        first if first.starts_with("end") => return None,
        _ => String::new(),
    };
    let named = start > 0 && !end.is_empty();
    Some(if named { format!("{end} {}", word(0)) } else { end })
}

/// Are all brackets closed, and in order?
fn balanced(text: &str) -> bool {
    let mut open = Vec::new();
    for t in tokens(text) {
        match &text[t.range()] {
            "(" | "[" => open.push(text.as_bytes()[t.start]),
            ")" if open.pop() != Some(b'(') => return false,
            "]" if open.pop() != Some(b'[') => return false,
            _ => {}
        }
    }
    open.is_empty()
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
