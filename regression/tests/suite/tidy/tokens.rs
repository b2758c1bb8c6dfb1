//! Rust text as tokens, as far as that is needed to see what it imports and where functions end.

/// A word, a `::`, a string with its quotes, or one character of another kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    /// Its text.
    pub(super) text: &'t str,
    /// The line that it stands in.
    pub(super) line: usize,
}

impl Token<'_> {
    /// True for a name or keyword.
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// The tokens of a file without comments, characters and lifetimes.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut out, mut rest, mut line) = (Vec::new(), text, 1);
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (len, is_token) = if let Some(len) = string(rest) {
            (len, true)
        } else if let Some(len) = left_out(rest) {
            (len, false)
        } else if word > 0 {
            (word, true)
        } else if rest.starts_with("::") {
            (2, true)
        } else {
            (c.len_utf8(), !c.is_whitespace())
        };
        if is_token {
            out.push(Token { text: &rest[..len], line });
        }
        line += rest[..len].matches('\n').count();
        rest = &rest[len..];
    }
    out
}

/// The length of a string at the start of a text.
fn string(text: &str) -> Option<usize> {
    let body = text.trim_start_matches('b');
    let hashes = body.strip_prefix('r').map_or("", |r| &r[..r.len() - r.trim_start_matches('#').len()]);
    let raw = format!("r{hashes}\"");
    if text.len() - body.len() <= 1 && body.starts_with(&raw) {
        let start = text.len() - body.len() + raw.len();
        let end = format!("\"{hashes}");
        return Some(text[start..].find(&end).map_or(text.len(), |at| start + at + end.len()));
    }
    (text.starts_with('"') || text.starts_with("b\"")).then(|| quoted(text, '"'))
}

/// The length of a comment, character or lifetime at the start of a text.
fn left_out(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return Some(text.find("*/").map_or(text.len(), |end| end + 2));
    }
    let after = text.strip_prefix('\'')?;
    let mut chars = after.chars();
    match (chars.next()?, chars.next()) {
        ('\\', _) => Some(quoted(text, '\'')),
        (c, Some('\'')) => Some(c.len_utf8() + 2),
        _ => Some(1 + after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len())),
    }
}

/// The length of a text up to the quote that ends what the first quote begins.
fn quoted(text: &str, quote: char) -> usize {
    let start = text.find(quote).map_or(0, |at| at + 1);
    let mut escaped = false;
    for (at, c) in text[start..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return start + at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Where the brace, bracket or parenthesis that opens at a place is closed.
pub(super) fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "{" | "[" | "(" => depth += 1,
            "}" | "]" | ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i;
        }
    }
    tokens.len() - 1
}

/// The tokens without what is compiled for tests only.
pub(super) fn without_tests<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    const ONLY: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut out, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        if !tokens[at..].iter().map(|t| t.text).take(ONLY.len()).eq(ONLY) {
            out.push(tokens[at]);
            at += 1;
            continue;
        }
        at += ONLY.len();
        while at < tokens.len() {
            let token = tokens[at].text;
            at = if matches!(token, "{" | "[" | "(") { closing(tokens, at) + 1 } else { at + 1 };
            if matches!(token, "{" | ";") {
                break;
            }
        }
    }
    out
}
