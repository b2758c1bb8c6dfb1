//! Lines: indentation, labels, comments, and continuation where a statement is longer than a line.

use super::Style;
use crate::lines::Sentinel;
use crate::source::Span;

/// The longest indentation, as a share of the line: deeper nesting isn't indented further.
const MAX_INDENT_SHARE: usize = 2;
/// Columns that ` &` takes at the end of a continued line.
const CONTINUE: usize = 2;

/// What begins a line that says where the next ones come from.
pub(super) const ORIGIN: &str = "!@";

/// Text under construction, line by line.
pub(super) struct Lines<'s> {
    style: &'s Style,
    level: usize,
    out: String,
    /// What is printed stands on conditional lines.
    conditional: bool,
    /// Where what is printed comes from.
    origin: Span,
}

impl<'s> Lines<'s> {
    pub(super) fn new(style: &'s Style, level: usize) -> Self {
        Lines { style, level, out: String::new(), conditional: false, origin: Span::default() }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    /// What follows comes from here. Returns where it came from before.
    pub(super) fn comes_from(&mut self, origin: Span) -> Span {
        if self.style.origins && origin != self.origin {
            let line = format!("{ORIGIN} {} {} {}", origin.file.0, origin.start, origin.end);
            self.push_lines(&[line]);
        }
        std::mem::replace(&mut self.origin, origin)
    }

    /// Statements that follow stand on conditional lines, or don't. Returns how it was before.
    pub(super) fn set_conditional(&mut self, conditional: bool) -> bool {
        std::mem::replace(&mut self.conditional, conditional)
    }

    pub(super) fn indent(&mut self) {
        self.level += 1;
    }

    pub(super) fn dedent(&mut self) {
        self.level = self.level.saturating_sub(1);
    }

    /// A blank line, unless there is one already or nothing stands before it.
    pub(super) fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// A statement on a line of its own.
    pub(super) fn line(&mut self, text: &str) {
        self.statement(None, text, None);
    }

    /// A statement with its label and the comment that follows it.
    pub(super) fn statement(&mut self, label: Option<u32>, text: &str, trailing: Option<&str>) {
        let indent = self.columns();
        let width = self.style.max_width;
        let mut start = " ".repeat(indent);
        if let Some(label) = label {
            let digits = label.to_string();
            start = format!("{digits}{}", " ".repeat(indent.saturating_sub(digits.len()).max(1)));
        }
        let more = " ".repeat(indent + 2 * self.style.indent.max(1));
        let lines = if self.conditional {
            let (margin, label) = (" ".repeat(indent), label.map_or_else(String::new, |l| format!("{l} ")));
            let (start, more) = (format!("{margin}!$ {label}"), format!("{margin}!$ &{}", &more[indent + 1..]));
            break_code(text, width, &start, &more, &format!("{margin}!$ "))
        } else {
            break_code(text, width, &start, &more, "")
        };
        if let Some(comment) = trailing {
            // A comment that doesn't fit beside the statement's last line goes before the statement.
            let last = lines.last().map_or(0, String::len);
            if last + 2 + comment.len() > width || comment.contains('\n') {
                self.comment(comment);
                return self.push_lines(&lines);
            }
            self.push_lines(&lines);
            self.out.truncate(self.out.trim_end_matches('\n').len());
            self.out.push_str("  ");
            self.out.push_str(comment.trim_end());
            self.out.push('\n');
        } else {
            self.push_lines(&lines);
        }
    }

    /// A comment, from `!` on; `!` is added where it is missing. Wrapped between words when it is too long.
    pub(super) fn comment(&mut self, text: &str) {
        let indent = " ".repeat(self.columns());
        for line in text.lines() {
            let line = line.trim();
            let line = if line.starts_with('!') { line.to_string() } else { format!("! {line}") };
            let room = self.style.max_width.saturating_sub(indent.len()).max(16);
            if line.starts_with("!$") || line.len() <= room {
                self.push_lines(&[format!("{indent}{line}")]);
                continue;
            }
            // `!!`, `!>` and `!<` mark comments for documentation tools.
            let body = line.trim_start_matches(['!', '>', '<']);
            let marker = &line[..line.len() - body.len()];
            for piece in wrap_words(body.trim_start(), room.saturating_sub(marker.len() + 1).max(8)) {
                self.push_lines(&[format!("{indent}{marker} {piece}")]);
            }
        }
    }

    /// A comment given without its `!`: every line of it becomes a comment line.
    pub(super) fn remark(&mut self, text: &str) {
        if text.trim().is_empty() {
            return self.comment("!");
        }
        for line in text.lines() {
            let line = line.trim_end();
            self.comment(&if line.is_empty() { "!".to_string() } else { format!("! {line}") });
        }
    }

    /// A directive: its sentinel, its text, continued with the sentinel repeated.
    pub(super) fn directive(&mut self, sentinel: Sentinel, text: &str) {
        let word = match sentinel {
            Sentinel::Omp => "!$omp",
            Sentinel::Acc => "!$acc",
            Sentinel::Ad => "!$ad",
            Sentinel::Vendor => return self.push_lines(&[format!("{}{text}", " ".repeat(self.columns()))]),
        };
        let indent = " ".repeat(self.columns());
        let (more, resume) = (format!("{indent}{word}& "), format!("{indent}{word}"));
        let lines = break_code(text, self.style.max_width, &format!("{indent}{word} "), &more, &resume);
        self.push_lines(&lines);
    }

    /// A statement or directive that is kept as text.
    pub(super) fn text(&mut self, text: &str) {
        let sentinels = [("!$omp", Sentinel::Omp), ("!$acc", Sentinel::Acc), ("!$ad", Sentinel::Ad)];
        let low = text.to_ascii_lowercase();
        match sentinels.iter().find(|(word, _)| low.starts_with(word)) {
            Some((word, sentinel)) => self.directive(*sentinel, text[word.len()..].trim_start()),
            None if text.starts_with('!') => self.comment(text),
            None => self.line(text),
        }
    }

    /// Statements that aren't understood, one a line, indented by what their first words open and close.
    pub(super) fn verbatim(&mut self, text: &str) {
        let outside = self.level;
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
            let low = line.to_ascii_lowercase();
            // `name: do` opens what `do` opens.
            let word =
                low.split_once(':').map_or(low.as_str(), |(name, rest)| match name.trim().bytes().all(is_word) {
                    true => rest.trim_start(),
                    false => low.as_str(),
                });
            if word.starts_with("end") && self.level > outside {
                self.level -= 1;
            }
            let arm = ["case", "type is", "class is", "class default", "rank", "else"];
            let between = arm.iter().any(|w| word.starts_with(w)) && self.level > outside;
            self.level -= usize::from(between);
            self.line(line);
            self.level += usize::from(between);
            let opens = ["select", "do ", "block", "associate", "critical"].iter().any(|w| word.starts_with(w));
            self.level += usize::from(opens || word == "do" || (word.starts_with("if") && word.ends_with("then")));
        }
        self.level = outside;
    }

    /// How much text there is.
    pub(super) fn mark(&self) -> usize {
        self.out.len()
    }

    fn columns(&self) -> usize {
        (self.level * self.style.indent).min(self.style.max_width / MAX_INDENT_SHARE)
    }

    fn push_lines(&mut self, lines: &[String]) {
        for line in lines {
            self.out.push_str(line);
            self.out.push('\n');
        }
    }
}

/// A piece of a statement that isn't broken (but for a string that is longer than a line).
pub(super) struct Token {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Parentheses open before it.
    depth: usize,
    string: bool,
}

/// Breaks a statement into lines of at most `width` bytes. `first` and `more` start the first and the following lines;
/// `resume` starts the rest of a string that had to be split (`more` up to its `&`).
fn break_code(text: &str, width: usize, first: &str, more: &str, resume: &str) -> Vec<String> {
    let text = text.trim();
    if first.len() + text.len() <= width {
        return vec![format!("{first}{text}")];
    }
    let mut tokens = tokens(text);
    let mut lines = Vec::new();
    let mut start = first.to_string();
    let mut next = 0;
    while next < tokens.len() {
        let from = tokens[next].start;
        if start.len() + text.len() - from <= width {
            break;
        }
        let room = width.saturating_sub(start.len() + CONTINUE).max(1);
        let roomy = width.saturating_sub(more.len() + CONTINUE);
        match choose(text, &tokens, next, room, roomy) {
            Break::Before(i) => {
                lines.push(format!("{start}{} &", text[from..tokens[i].start].trim_end()));
                next = i;
                start = more.to_string();
            }
            Break::Within(i) => {
                let cut = split_at(text, from, &tokens[i], room);
                lines.push(format!("{start}{}&", &text[from..cut]));
                tokens[i].start = cut;
                next = i;
                start = if resume.is_empty() { format!("{more}&") } else { format!("{resume}&") };
            }
        }
    }
    if let Some(token) = tokens.get(next) {
        lines.push(format!("{start}{}", &text[token.start..]));
    }
    lines
}

pub(super) enum Break {
    /// Between tokens.
    Before(usize),
    /// Within a string.
    Within(usize),
}

/// Where to end a line that starts at token `next` and has `room` bytes: the shallowest, most readable place in its
/// second half, else the last place there is.
pub(super) fn choose(text: &str, tokens: &[Token], next: usize, room: usize, roomy: usize) -> Break {
    let from = tokens[next].start;
    let fits = |i: usize| text[from..tokens[i].start].trim_end().len() <= room;
    let candidates: Vec<usize> = (next + 1..tokens.len()).take_while(|&i| fits(i)).collect();
    let late = |i: &usize| tokens[*i].start - from > room / 2;
    let half: Vec<usize> = candidates.iter().copied().filter(late).collect();
    // A string that starts here and fits on no line of its own is split rather than moved.
    let straddles = candidates.last().map_or(next, |&i| i);
    let overlong = |t: &Token| t.string && t.end - t.start > roomy;
    if overlong(&tokens[straddles]) && tokens[straddles].start - from + 4 < room {
        return Break::Within(straddles);
    }
    let pool = if half.is_empty() { &candidates } else { &half };
    let best = pool.iter().copied().min_by_key(|&i| (penalty(text, tokens, i), usize::MAX - i));
    match best {
        Some(i) => Break::Before(i),
        None if tokens[next].string => Break::Within(next),
        // A token longer than a line can only stand as it is.
        None => Break::Before(next + 1),
    }
}

/// How unwelcome a break before token `i` is.
fn penalty(text: &str, tokens: &[Token], i: usize) -> usize {
    let (before, after) = (&tokens[i - 1], &tokens[i]);
    let gap = after.start > before.end;
    let last = &text[before.start..before.end];
    let kind = match last {
        "," => 0,
        _ if gap && operator_like(last) => 1,
        _ if gap && operator_like(&text[after.start..after.end]) => 3,
        _ if gap => 5,
        "*" | "/" | "(" => 6,
        _ => 20,
    };
    kind + 2 * after.depth
}

fn operator_like(token: &str) -> bool {
    !token.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '\'' || c == '"')
}

/// The byte at which a string is split: as late as `room` allows, not within a doubled quote or a character.
fn split_at(text: &str, from: usize, token: &Token, room: usize) -> usize {
    let bytes = text.as_bytes();
    let mut cut = (from + room).min(token.end - 1);
    let quote = text[token.start..token.end].bytes().next_back().unwrap_or(b'\'');
    // Also keeps a run of quotes or blanks together with what precedes it.
    while cut > token.start + 1 && (!text.is_char_boundary(cut) || bytes[cut] == quote || bytes[cut - 1] == quote) {
        cut -= 1;
    }
    if cut > token.start + 1 { cut } else { token.end }
}

/// The tokens of a statement, with the parentheses open before each.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut out: Vec<Token> = Vec::new();
    let (mut at, mut depth) = (0, 0usize);
    while at < bytes.len() {
        let b = bytes[at];
        if b == b' ' || b == b'\t' {
            at += 1;
            continue;
        }
        let (end, string) = token_end(text, at);
        if b == b')' || b == b']' {
            depth = depth.saturating_sub(1);
        }
        out.push(Token { start: at, end, depth, string });
        if b == b'(' || b == b'[' {
            depth += 1;
        }
        at = end;
    }
    out
}

/// Where the token at `at` ends, and whether it is a string.
fn token_end(text: &str, at: usize) -> (usize, bool) {
    let bytes = text.as_bytes();
    let get = |i: usize| bytes.get(i).copied().unwrap_or(0);
    let b = bytes[at];
    if b == b'\'' || b == b'"' {
        return (string_end(bytes, at), true);
    }
    if b.is_ascii_digit() || (b == b'.' && get(at + 1).is_ascii_digit()) {
        return (number_end(bytes, at), false);
    }
    if is_word(b) {
        let end = word_end(bytes, at);
        // `b'01'`, `kind_'text'`
        if matches!(get(end), b'\'' | b'"') && (get(end - 1) == b'_' || end - at == 1) {
            return (string_end(bytes, end), true);
        }
        return (end, false);
    }
    if b == b'.' {
        let end = (at + 1..bytes.len()).find(|&i| !bytes[i].is_ascii_alphabetic()).unwrap_or(bytes.len());
        if end > at + 1 && get(end) == b'.' {
            let end = end + 1;
            return (if get(end) == b'_' { word_end(bytes, end) } else { end }, false);
        }
        return (at + 1, false);
    }
    const DOUBLE: [&[u8]; 10] = [b"**", b"//", b"==", b"/=", b"<=", b">=", b"=>", b"::", b"(/", b"/)"];
    if DOUBLE.iter().any(|d| bytes[at..].starts_with(d)) {
        return (at + 2, false);
    }
    (at + text[at..].chars().next().map_or(1, char::len_utf8), false)
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$'
}

fn word_end(bytes: &[u8], at: usize) -> usize {
    (at..bytes.len()).find(|&i| !is_word(bytes[i])).unwrap_or(bytes.len())
}

fn string_end(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let mut i = at + 1;
    while i < bytes.len() {
        if bytes[i] == quote {
            if bytes.get(i + 1) != Some(&quote) {
                return i + 1;
            }
            i += 1;
        }
        i += 1;
    }
    bytes.len()
}

/// The end of a number: digits, fraction, exponent, kind. `1.eq.2` ends before its first dot.
fn number_end(bytes: &[u8], at: usize) -> usize {
    let get = |i: usize| bytes.get(i).copied().unwrap_or(0);
    let digits = |mut i: usize| {
        while get(i).is_ascii_digit() {
            i += 1;
        }
        i
    };
    let mut end = digits(at);
    if get(end) == b'.' {
        let letters = (end + 1..bytes.len()).find(|&i| !bytes[i].is_ascii_alphabetic()).unwrap_or(bytes.len());
        if letters == end + 1 || get(letters) != b'.' {
            end = digits(end + 1);
        }
    }
    if matches!(get(end), b'e' | b'E' | b'd' | b'D' | b'q' | b'Q') {
        let sign = usize::from(matches!(get(end + 1), b'+' | b'-'));
        if get(end + 1 + sign).is_ascii_digit() {
            end = digits(end + 1 + sign);
        }
    }
    if is_word(get(end)) { word_end(bytes, end) } else { end }
}

/// Splits text between words into pieces of at most `room` bytes; a longer word is cut.
fn wrap_words(text: &str, room: usize) -> Vec<String> {
    let mut out = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.len() + 1 + word.len() > room {
            out.push(std::mem::take(&mut line));
        }
        let mut word = word;
        while word.len() > room && line.is_empty() {
            let cut = (1..=room).rev().find(|&i| word.is_char_boundary(i)).unwrap_or(word.len());
            out.push(word[..cut].to_string());
            word = &word[cut..];
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        out.push(line);
    }
    out
}
