//! Tokens of one statement, as far as telling names from keywords needs them.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or keyword.
    Word,
    Number,
    /// A character constant, or an operator or constant between dots.
    Other,
    Punct,
    /// Past the last token.
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Token {
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// The tokens of a statement.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&b) = bytes.get(at) {
        if b.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let (kind, length) = match b {
            b'\'' | b'"' => (TokenKind::Other, quoted(&bytes[at..], b)),
            b'0'..=b'9' => (TokenKind::Number, number(&bytes[at..])),
            b'.' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => (TokenKind::Number, number(&bytes[at..])),
            b'.' => (TokenKind::Other, dotted(&bytes[at..]).unwrap_or(1)),
            _ if is_word(b) || !b.is_ascii() => (TokenKind::Word, run(&bytes[at..], |b| is_word(b) || !b.is_ascii())),
            _ => (TokenKind::Punct, punctuation(&bytes[at..])),
        };
        out.push(Token { kind, start: at, end: at + length });
        at += length;
    }
    out
}

fn run(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|b| is(**b)).count()
}

/// Length of a character constant; a doubled quote reads as two constants side by side.
fn quoted(bytes: &[u8], quote: u8) -> usize {
    bytes.iter().skip(1).position(|b| *b == quote).map_or(bytes.len(), |i| i + 2)
}

/// Length of `.and.` and its like at the start.
fn dotted(bytes: &[u8]) -> Option<usize> {
    let letters = run(bytes.get(1..)?, |b| b.is_ascii_alphabetic());
    (letters > 0 && bytes.get(letters + 1) == Some(&b'.')).then_some(letters + 2)
}

/// Length of a number with its exponent and kind.
fn number(bytes: &[u8]) -> usize {
    let digits = |at: usize| run(bytes.get(at..).unwrap_or_default(), |b| b.is_ascii_digit());
    let mut at = digits(0);
    if bytes.get(at) == Some(&b'.') && dotted(&bytes[at..]).is_none() {
        at += 1;
        at += digits(at);
    }
    if bytes.get(at).is_some_and(|b| matches!(b.to_ascii_lowercase(), b'e' | b'd' | b'q')) {
        let sign = usize::from(bytes.get(at + 1).is_some_and(|b| matches!(b, b'+' | b'-')));
        let exponent = digits(at + 1 + sign);
        at += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    if bytes.get(at) == Some(&b'_') {
        at += run(&bytes[at..], is_word);
    }
    at
}

fn punctuation(bytes: &[u8]) -> usize {
    match bytes {
        [b':', b':', ..] | [b'=', b'>' | b'=', ..] | [b'/' | b'<' | b'>', b'=', ..] | [b'*', b'*', ..] => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_a_statement() {
        let text = "x%end = 1.e5_wp .and. 1.eq.2, 'it''s' == .5d0 :: 3d0*e => 2.";
        let found: Vec<&str> = tokens(text).iter().map(|t| &text[t.range()]).collect();
        let want = [
            "x", "%", "end", "=", "1.e5_wp", ".and.", "1", ".eq.", "2", ",", "'it'", "'s'", "==", ".5d0", "::", "3d0",
            "*", "e", "=>", "2.",
        ];
        assert_eq!(found, want);
    }
}
