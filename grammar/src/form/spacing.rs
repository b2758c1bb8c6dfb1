//! Blanks: statements of fixed form, in which they mean nothing, with the blanks that free form asks for.
//!
//! Without blanks a statement is an assignment or begins with keywords (Sale, The classification of FORTRAN statements,
//! The Computer Journal 14, 1971). Words that the user parted stay parted only where keywords end.

use std::ops::Range;

use super::keywords;
use super::physical::{PhysicalLine, for_each_piece, is_blank};
use crate::lines::Segment;
use crate::source::Span;

/// The columns of statements, joined, with a map to the user's file.
#[derive(Default)]
pub(super) struct Joined {
    /// The text.
    pub(super) text: String,
    segments: Vec<Segment>,
    /// For each byte whether it is part of a character constant, in quotes or counted (`5hhello`).
    literal: Vec<bool>,
    quote: Option<u8>,
    /// Characters of a counted constant that are still to come.
    left: usize,
    /// Where constants stand that count their characters, with the number.
    counted: Vec<Range<usize>>,
    /// The number that may count characters, what stands before it, and where.
    number: Option<(usize, [u8; 2], usize)>,
    /// The last two characters of the code.
    last: [u8; 2],
}

impl Joined {
    /// True where a character constant is open.
    pub(super) fn in_literal(&self) -> bool {
        self.quote.is_some() || self.left > 0
    }

    /// Adds `n` blanks, which stand at the end of `span`.
    pub(super) fn pad(&mut self, n: usize, span: Span) {
        if n > 0 {
            let span = Span { start: span.end, ..span };
            self.segments.push(Segment { offset: self.text.len() as u32, span, verbatim: false });
            (0..n).for_each(|_| self.push(' '));
        }
    }

    /// Adds `range` of a line up to its comment, whose place is returned.
    pub(super) fn add(&mut self, line: &PhysicalLine, text: &str, range: Range<usize>) -> usize {
        let base = self.text.len() as u32;
        let mut end = range.end;
        for (i, c) in text.get(range.clone()).unwrap_or("").char_indices() {
            if c == '!' && !self.in_literal() {
                end = range.start + i;
                break;
            }
            self.push(c);
        }
        let at = |offset: u32| offset - range.start as u32 + base;
        match &line.expanded {
            _ if end <= range.start => {}
            None => self.segments.push(Segment { offset: base, span: line.span_of(range.start, end), verbatim: true }),
            Some(e) => {
                for_each_piece(&e.segments, range.start as u32, end as u32, e.text.len() as u32, |piece| {
                    self.segments.push(Segment { offset: at(piece.offset), ..piece });
                });
            }
        }
        end
    }

    fn push(&mut self, c: char) {
        let literal = self.follow(c);
        self.text.push(c);
        self.literal.resize(self.text.len(), literal);
    }

    /// Follows constants; true for a character of one.
    fn follow(&mut self, c: char) -> bool {
        if self.left > 0 {
            self.left -= 1;
            if let Some(counted) = self.counted.last_mut() {
                counted.end = self.text.len() + c.len_utf8();
            }
            return true;
        }
        let b = if c.is_ascii() { c as u8 } else { b'?' };
        match self.quote {
            Some(q) => {
                self.quote = Some(q).filter(|q| b != *q);
                return true;
            }
            None if is_blank(b) => return false,
            None if b == b'\'' || b == b'"' => {
                self.quote = Some(b);
                self.number = None;
                self.last = [self.last[1], b];
                return true;
            }
            None => {}
        }
        let counted = self.number.take();
        if b.is_ascii_digit() {
            let (n, before, start) = counted.unwrap_or((0, self.last, self.text.len()));
            self.number = Some((n.saturating_mul(10).saturating_add(usize::from(b - b'0')), before, start));
        } else if let (b'h' | b'H', Some((n, [earlier, before], start))) = (b, counted) {
            // `real*8 h` declares a variable, `2*4habcd` repeats a constant.
            let free = !before.is_ascii_alphanumeric() && !matches!(before, b'_' | b'.' | b')' | b'%' | 0);
            if free && (before != b'*' || earlier.is_ascii_digit()) {
                self.left = n;
                self.counted.push(start..self.text.len() + 1);
            }
        }
        self.last = [self.last[1], b];
        false
    }
}

/// Text that is being made, with its map.
struct Made<'a> {
    joined: &'a Joined,
    text: String,
    segments: Vec<Segment>,
    place: Span,
}

impl<'a> Made<'a> {
    fn new(joined: &'a Joined, place: Span) -> Self {
        Made { joined, text: String::new(), segments: Vec::new(), place: Span { end: place.start, ..place } }
    }

    /// Adds text of our own.
    fn own(&mut self, text: &str) {
        if !text.is_empty() {
            self.segments.push(Segment { offset: self.text.len() as u32, span: self.place, verbatim: false });
            self.text.push_str(text);
        }
    }

    /// Adds the user's bytes.
    fn user(&mut self, range: Range<usize>) {
        let (start, end, base) = (range.start as u32, range.end as u32, self.text.len() as u32);
        for_each_piece(&self.joined.segments, start, end, self.joined.text.len() as u32, |piece| {
            self.segments.push(Segment { offset: piece.offset - start + base, ..piece });
            self.place = Span { start: piece.span.end, ..piece.span };
        });
        self.text.push_str(self.joined.text.get(range).unwrap_or(""));
    }
}

/// The line of free form that a statement becomes, behind `sentinel` and label.
pub(super) fn free(joined: &Joined, sentinel: &str, label: &str, place: Span) -> (String, Vec<Segment>) {
    let mut made = Made::new(joined, place);
    made.own(sentinel);
    if !label.is_empty() {
        made.own(&format!("{label} "));
    }
    let bytes = joined.text.as_bytes();
    let ends = (0..bytes.len()).filter(|&i| bytes[i] == b';' && !joined.literal[i]).chain([bytes.len()]);
    let mut from = 0;
    for end in ends {
        if from > 0 {
            made.own("; ");
        }
        let code: Vec<usize> = (from..end).filter(|&i| joined.literal[i] || !is_blank(bytes[i])).collect();
        let masked = |&i: &usize| if joined.literal[i] { keywords::LITERAL } else { bytes[i].to_ascii_lowercase() };
        let compact: Vec<u8> = code.iter().map(masked).collect();
        if !label.is_empty() && compact.starts_with(b"format(") {
            format(&mut made, from..end);
        } else {
            statement(&mut made, &code, &compact);
        }
        from = end + 1;
    }
    (made.text, made.segments)
}

/// A statement whose characters stand at `code`.
fn statement(made: &mut Made<'_>, code: &[usize], compact: &[u8]) {
    let apart: Vec<bool> = (0..code.len()).map(|i| i > 0 && code[i] > code[i - 1] + 1).collect();
    let breaks = keywords::breaks(compact, &apart);
    let mut i = 0;
    while i < code.len() {
        if i > 0 && (breaks[i] || (apart[i] && !is_glued(compact[i - 1], compact[i]))) {
            made.own(" ");
        }
        let mut j = i + 1;
        while j < code.len() && code[j] == code[j - 1] + 1 && !breaks[j] {
            j += 1;
        }
        made.user(code[i]..code[j - 1] + 1);
        i = j;
    }
}

/// True where free form takes two characters for parts of one token, or may, so that no blank may stand between.
fn is_glued(a: u8, b: u8) -> bool {
    let word = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'.';
    let operator = matches!(
        (a, b),
        (b'*', b'*')
            | (b'/', b'/' | b'=' | b')')
            | (b'(', b'/')
            | (b'=' | b'<' | b'>', b'=')
            | (b'=', b'>')
            | (b':', b':')
    );
    (word(a) && word(b)) || operator
}

/// A `format` statement: counted constants are put in quotes, and all else stays.
fn format(made: &mut Made<'_>, range: Range<usize>) {
    let mut at = range.start;
    for counted in made.joined.counted.iter().filter(|c| range.contains(&c.start)) {
        made.user(at..counted.start);
        made.own(&format!(
            "'{}'",
            made.joined.text[counted.clone()].split_once(['h', 'H']).map_or("", |t| t.1).replace('\'', "''")
        ));
        at = counted.end;
    }
    made.user(at..range.end);
}

/// The line of free form that a directive becomes.
pub(super) fn directive(joined: &Joined, sentinel: &str, place: Span) -> (String, Vec<Segment>) {
    let mut made = Made::new(joined, place);
    made.own(sentinel);
    made.own(" ");
    made.user(0..joined.text.len());
    (made.text, made.segments)
}
