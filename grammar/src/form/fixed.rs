//! Fixed form: cards become lines of free form, which are read like any others.
//!
//! Columns 1 to 5 hold labels and comment signs, column 6 says that a line continues the one before, and statements stand
//! in columns 7 to 72 (Fortran 2018, 6.3.3). A statement and its continuations become one line, whose map leads to the
//! user's columns; blanks, which mean nothing, are put where free form needs them (`spacing`).

use super::blanks::{first_nonblank, is_blank};
use super::columns::{CONTINUATION, Card, Class, card, columns};
use super::options::FixedLayout;
use super::physical::{PhysicalKind, PhysicalLine};
use super::spacing::{self, Joined};
use super::{free, physical};
use crate::diag::{Code, Diagnostic};
use crate::lines::Segment;
use crate::source::{SourceMap, Span};

/// How many columns behind the statement may hold a label of the card.
const SEQUENCE: usize = 8;

/// A statement or directive under way.
struct Open {
    class: Class,
    label: String,
    joined: Joined,
    span: Span,
    conditional: bool,
    derived: bool,
    /// Blanks that a character constant over the end of the last line takes in.
    padding: usize,
    /// The comment at the end of the last line.
    comment: Option<PhysicalLine>,
}

/// The lines of a fixed-form file as lines of free form.
pub(crate) fn to_free(
    source: &SourceMap,
    lines: &[PhysicalLine],
    layout: FixedLayout,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<PhysicalLine> {
    let out = Vec::with_capacity(lines.len());
    let mut reader = Reader { source, layout, diagnostics, out, held: Vec::new(), open: None, told: Vec::new() };
    lines.iter().for_each(|line| reader.line(line));
    reader.finish();
    reader.out
}

struct Reader<'a> {
    source: &'a SourceMap,
    layout: FixedLayout,
    diagnostics: &'a mut Vec<Diagnostic>,
    out: Vec<PhysicalLine>,
    /// Comments and blank lines behind what is open: they stand before it where it goes on.
    held: Vec<PhysicalLine>,
    open: Option<Open>,
    /// What has been said of a file: many lines would say the same.
    told: Vec<(crate::source::FileId, &'static str)>,
}

impl Reader<'_> {
    fn line(&mut self, line: &PhysicalLine) {
        if line.kind == PhysicalKind::Preprocessor {
            return self.held.push(line.clone());
        }
        let text = line.text(self.source);
        let card = match card(text) {
            Card::Debugging => self.debugging(line, text),
            card => card,
        };
        match card {
            Card::Blank => self.held.push(line.clone()),
            Card::Comment(at) => self.held.push(comment(line, text, at)),
            Card::Initial { class, body } if first_nonblank(text, body).is_some() => {
                self.finish();
                let from = if class == Class::Conditional { 2 } else { 0 };
                let label = match class {
                    Class::Directive(_) => String::new(),
                    _ => text.get(from..body).unwrap_or("").trim().trim_start_matches('0').to_string(),
                };
                let label: String = label.chars().filter(char::is_ascii_digit).collect();
                let start = if label.is_empty() { body } else { first_nonblank(text, from).unwrap_or(body) };
                let span = line.span_of(start, text.len());
                let joined = Joined::default();
                let (conditional, derived) = (line.conditional, line.derived);
                self.open = Some(Open { class, label, joined, span, conditional, derived, padding: 0, comment: None });
                self.take(line, text, body);
            }
            Card::Initial { .. } => self.held.push(PhysicalLine { expanded: None, ..blank(line) }),
            Card::Continuation { class, body } => self.go_on(line, text, class, body),
            Card::Debugging | Card::Misplaced => self.tell(
                line.span,
                "text in columns 1 to 5 of a line in fixed form",
                "labels, comment signs and sentinels stand there",
                "give `--form free` if the file is in free form, or begin statements in column 7",
            ),
        }
    }

    /// Says once in a file what is wrong with lines of it.
    fn tell(&mut self, span: Span, message: &'static str, reason: &str, help: &str) {
        if !self.told.contains(&(span.file, message)) {
            self.told.push((span.file, message));
            self.diagnostics.push(Diagnostic::error(Code::BadFixedForm, span, message).reason(reason).help(help));
        }
    }

    /// What a line for debugging is.
    fn debugging(&mut self, line: &PhysicalLine, text: &str) -> Card {
        match self.layout.debugging {
            Some(true) => columns(text, 1, Class::Statement).unwrap_or(Card::Misplaced),
            Some(false) => Card::Comment(0),
            None if columns(text, 1, Class::Statement).is_none() => Card::Misplaced,
            None => {
                self.tell(
                    line.span,
                    "a line with `d` in column 1",
                    "it is a comment for some compilers and options, and a statement for others",
                    "give `--d-lines comments` or `--d-lines code`, as your build compiles it",
                );
                Card::Comment(0)
            }
        }
    }

    fn go_on(&mut self, line: &PhysicalLine, text: &str, class: Class, body: usize) {
        let Some(open) = self.open.as_mut().filter(|o| o.class == class) else {
            let d = match &self.open {
                Some(_) => Diagnostic::error(
                    Code::BadContinuation,
                    line.span,
                    "a continuation with another sentinel than its statement",
                )
                .reason("without OpenMP or OpenACC the statement would be another one")
                .help("begin all lines of the statement or directive in the same way"),
                None => Diagnostic::error(Code::BadContinuation, line.span, "a continuation of nothing")
                    .reason("column 6 says that the line continues another one")
                    .help("leave column 6 blank"),
            };
            return self.diagnostics.push(d);
        };
        if open.joined.in_literal() {
            open.joined.pad(std::mem::take(&mut open.padding), open.span);
        } else if class != Class::Statement && class != Class::Conditional && open.padding > 0 {
            open.joined.pad(1, open.span);
        }
        open.derived |= line.derived;
        open.span = open.span.to(line.span_of(body, text.len()));
        self.out.extend(open.comment.take());
        self.out.append(&mut self.held);
        self.take(line, text, body);
    }

    /// Takes in the code of a line from `body` on.
    fn take(&mut self, line: &PhysicalLine, text: &str, body: usize) {
        let Some(open) = self.open.as_mut() else { return };
        let tab = text.get(..body).is_some_and(|t| t.contains('\t'));
        // Behind a tab, columns count from the seventh.
        let shift = if tab { (CONTINUATION + 1).saturating_sub(body) } else { 0 };
        let last = self.layout.width.map_or(text.len(), |w| w.saturating_sub(shift).clamp(body, text.len().max(body)));
        let last = (0..=last.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        let end = open.joined.add(line, text, body..last);
        open.padding = match self.layout.width {
            Some(width) if end == last => width.saturating_sub(shift + last),
            _ => 0,
        };
        if end < last {
            open.comment = Some(comment(line, text, end));
        } else if first_nonblank(text, last).is_some() && !self.is_left_out(text, last) {
            self.tell(
                line.span_of(last, text.len()),
                "code beyond the last column of a line in fixed form",
                "compilers leave it out, or take it in, as their options say",
                "give `--fixed-line-length 72`, `132` or `none`, as your build compiles the file",
            );
        }
    }

    /// True where what stands behind the last column is no code by all accounts: a comment, the label of the card, the sign
    /// by which the line continues in free form.
    fn is_left_out(&self, text: &str, last: usize) -> bool {
        let rest = text.get(last..).unwrap_or("").trim_end();
        let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let divides =
            text.as_bytes().get(last.wrapping_sub(1)).is_some_and(word) && rest.as_bytes().first().is_some_and(word);
        let label =
            rest.len() <= SEQUENCE && rest.bytes().all(|b| b.is_ascii_alphanumeric() || is_blank(b)) && !divides;
        self.layout.width_given || rest.trim_start().starts_with(['!', '&']) || label
    }

    /// Writes what is open.
    fn finish(&mut self) {
        if let Some(open) = self.open.take() {
            let (text, segments) = match open.class {
                Class::Statement => spacing::free(&open.joined, "", &open.label, open.span),
                Class::Conditional => spacing::free(&open.joined, "!$ ", &open.label, open.span),
                Class::Directive(sentinel) => spacing::directive(&open.joined, sentinel, open.span),
            };
            let made = PhysicalLine::plain(open.span, open.derived);
            let expanded = Some(Box::new(physical::Expanded { text, segments }));
            self.out.extend(open.comment);
            self.out.push(PhysicalLine { expanded, conditional: open.conditional, ..made });
        }
        self.out.append(&mut self.held);
    }
}

/// A line without text in the place of another.
fn blank(line: &PhysicalLine) -> PhysicalLine {
    let end = Span { start: line.span.end, ..line.span };
    PhysicalLine::plain(end, line.derived)
}

/// The comment of a line whose sign stands at `at`, with the sign of free form. What isn't a directive in fixed form isn't one
/// in free form.
fn comment(line: &PhysicalLine, text: &str, at: usize) -> PhysicalLine {
    let rest = text.get(at + 1..).unwrap_or("");
    let mut made = format!("!{rest}");
    let vendor = |m: &str| matches!(free::sentinel(m), Some((crate::lines::Sentinel::Vendor, _)));
    if rest.starts_with('$') || (at > 0 && vendor(&made)) {
        made.insert(1, ' ');
    }
    let offset = (made.len() - rest.len()) as u32;
    let sign = Segment { offset: 0, span: line.span_of(at, at + 1), verbatim: false };
    let words = Segment { offset, span: line.span_of(at + 1, text.len()), verbatim: line.expanded.is_none() };
    let segments = if rest.is_empty() { vec![sign] } else { vec![sign, words] };
    let expanded = Some(Box::new(physical::Expanded { text: made, segments }));
    PhysicalLine { expanded, ..PhysicalLine::plain(line.span, line.derived) }
}
