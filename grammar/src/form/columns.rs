//! The first columns of a line in fixed form, which say what it is.

use super::blanks::{first_nonblank, is_blank};

/// The column, counted from 0, that says whether a line continues the one before.
pub(super) const CONTINUATION: usize = 5;
/// What a line with text belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Statement,
    /// On lines that count with OpenMP only.
    Conditional,
    /// Behind a sentinel, which is given as in free form.
    Directive(&'static str),
}

/// A line of fixed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Card {
    Blank,
    /// A comment, whose text follows the sign at the offset.
    Comment(usize),
    /// The first line of a statement or directive; its label, if any, stands before `body`.
    Initial {
        class: Class,
        body: usize,
    },
    Continuation {
        class: Class,
        body: usize,
    },
    /// A line for debugging: code for some compilers' options, a comment for others.
    Debugging,
    /// Other text in columns 1 to 5.
    Misplaced,
}

/// Where the code behind a sentinel begins that has the form of a directive or conditional line; `None` for other comments
/// and for statements. For what reads lines before they are statements.
pub(crate) fn behind_sentinel(text: &str) -> Option<usize> {
    match card(text) {
        Card::Initial { class, body } | Card::Continuation { class, body } if class != Class::Statement => Some(body),
        _ => None,
    }
}

/// True for a line that is a comment as a whole.
pub(crate) fn is_comment(text: &str) -> bool {
    matches!(card(text), Card::Comment(_))
}

/// What a line adds to the one that it continues; `None` for one that continues none.
pub(crate) fn continued(text: &str) -> Option<&str> {
    match card(text) {
        Card::Continuation { body, .. } => text.get(body..),
        _ => None,
    }
}

/// True for a line that continues the one before.
pub(crate) fn continues(text: &str) -> bool {
    continued(text).is_some()
}

/// Tells what a line is by its first columns.
pub(super) fn card(text: &str) -> Card {
    let Some(first) = first_nonblank(text, 0) else { return Card::Blank };
    let bytes = text.as_bytes();
    match bytes[0] {
        b'c' | b'C' | b'*' | b'!' => marked(text),
        b'd' | b'D' => Card::Debugging,
        _ if bytes[first] == b'!' && (first != CONTINUATION || bytes[..first].contains(&b'\t')) => Card::Comment(first),
        _ => columns(text, 0, Class::Statement).unwrap_or(Card::Misplaced),
    }
}

/// A line with a comment sign in its first column.
fn marked(text: &str) -> Card {
    let is = |word: &str| text.get(1..=word.len()).is_some_and(|t| t.eq_ignore_ascii_case(word));
    let directive = |sentinel: &'static str| {
        let class = Class::Directive(sentinel);
        columns(text, sentinel.len(), class).unwrap_or(Card::Comment(0))
    };
    if is("$omp") {
        return directive("!$omp");
    }
    if is("$acc") {
        return directive("!$acc");
    }
    // One column shorter: what stands in column 6 is text, unless it is the sign of free form.
    if is("$ad") && text.as_bytes().get(4).is_none_or(|b| is_blank(*b) || *b == b'&') {
        let class = Class::Directive("!$ad");
        return match first_nonblank(text, 4).filter(|&i| i <= CONTINUATION && text.as_bytes()[i] == b'&') {
            Some(i) => Card::Continuation { class, body: i + 1 },
            None => Card::Initial { class, body: 4 },
        };
    }
    match columns(text, 2, Class::Conditional) {
        Some(card) if is("$") && first_nonblank(text, 2).is_some_and(|i| text.as_bytes()[i] != b'!') => card,
        _ => Card::Comment(0),
    }
}

/// What columns up to the sixth say, from column `from` on; `None` where they hold what can't stand there.
pub(super) fn columns(text: &str, from: usize, class: Class) -> Option<Card> {
    let bytes = text.as_bytes();
    let label = bytes.iter().take(CONTINUATION).skip(from);
    for (i, b) in label.enumerate() {
        match b {
            // A tab leads to column 7; a digit behind it continues.
            b'\t' => {
                let body = from + i + 1;
                return Some(match bytes.get(body) {
                    Some(b'1'..=b'9') => Card::Continuation { class, body: body + 1 },
                    _ => Card::Initial { class, body },
                });
            }
            b if is_blank(*b) || (b.is_ascii_digit() && !matches!(class, Class::Directive(_))) => {}
            _ => return None,
        }
    }
    let body = (CONTINUATION + 1).min(text.len());
    match bytes.get(CONTINUATION) {
        Some(b) if !is_blank(*b) && *b != b'0' => {
            let blank = bytes.iter().take(CONTINUATION).skip(from).all(|b| is_blank(*b));
            (text.is_char_boundary(body) && blank).then_some(Card::Continuation { class, body })
        }
        _ => Some(Card::Initial { class, body }),
    }
}
