//! Macro definitions and their expansion, as a traditional preprocessor does it: no expansion in strings or comments,
//! parameters replaced even within strings of the body, `/**/` and `##` paste.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::form::physical::{Expanded, first_nonblank, for_each_piece, is_blank};
use crate::lines::Segment;
use crate::source::Span;

/// Stands in a stored body for `##` or `/**/`: joins its neighbours and vanishes.
const PASTE: char = '\u{1}';
/// Bytes that the expansion of one line may make: far above any real line, below what hurts.
const BUDGET: usize = 1 << 20;
/// Nesting of macros in macros.
const DEPTH: usize = 200;

/// A macro: object-like without parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Macro {
    params: Option<Vec<String>>,
    /// The last parameter takes all further arguments.
    variadic: bool,
    body: String,
}

/// The macros defined at a point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Macros {
    table: HashMap<String, Macro>,
}

impl Macros {
    /// Acts on the text after `#define`.
    pub(crate) fn define(&mut self, text: &str) -> Result<(), String> {
        let text = text.trim_start();
        let name = identifier(text);
        if name.is_empty() {
            return Err("`#define` without a name".to_string());
        }
        if name == "defined" {
            return Err("`defined` can't be a macro".to_string());
        }
        let rest = text.get(name.len()..).unwrap_or("");
        let (params, rest) = match rest.strip_prefix('(') {
            Some(rest) => {
                let (list, body) =
                    rest.split_once(')').ok_or_else(|| format!("the parameters of `{name}` aren't closed"))?;
                (Some(list.split(',').map(|p| p.trim().to_string()).collect::<Vec<_>>()), body)
            }
            None => (None, rest),
        };
        let mut params = params.map(|p| if p.len() == 1 && p[0].is_empty() { Vec::new() } else { p });
        let mut variadic = false;
        if let Some(last) = params.as_mut().and_then(|p| p.last_mut())
            && let Some(named) = last.strip_suffix("...")
        {
            variadic = true;
            *last = if named.is_empty() { "__VA_ARGS__".to_string() } else { named.trim_end().to_string() };
        }
        if params.iter().flatten().any(|p| p.is_empty() || identifier(p).len() != p.len()) {
            return Err(format!("a parameter of `{name}` isn't a name"));
        }
        let body = stored_body(rest, params.is_some());
        self.table.insert(name.to_string(), Macro { params, variadic, body });
        Ok(())
    }

    /// Forgets a macro.
    pub(crate) fn undefine(&mut self, name: &str) {
        self.table.remove(name);
    }

    /// Is the name a macro?
    pub(crate) fn defined(&self, name: &str) -> bool {
        self.table.contains_key(name) || matches!(name, "__FILE__" | "__LINE__" | "__DATE__" | "__TIME__")
    }
}

/// The identifier at the start of `text`; empty if there is none.
pub(crate) fn identifier(text: &str) -> &str {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return "";
    }
    let n = text.bytes().take_while(|&b| is_word(b)).count();
    text.get(..n).unwrap_or("")
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// A body as stored: C comments and `##` become the paste mark, outer blanks go.
fn stored_body(text: &str, function: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.trim();
    while !rest.is_empty() {
        let comment = rest.find("/*");
        let paste = rest.find("##").filter(|_| function);
        let at = match (comment, paste) {
            (Some(c), Some(p)) => c.min(p),
            (Some(c), None) => c,
            (None, Some(p)) => p,
            (None, None) => break,
        };
        let (before, after) = rest.split_at(at);
        if comment == Some(at) {
            out.push_str(before);
            rest = after.get(2..).and_then(|a| a.split_once("*/")).map_or("", |(_, r)| r);
        } else {
            out.push_str(before.trim_end());
            rest = after.get(2..).unwrap_or("").trim_start();
        }
        out.push(PASTE);
    }
    out.push_str(rest);
    out.trim_matches(|c: char| c == PASTE || c.is_whitespace()).to_string()
}

/// A token, as far as macros see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Name,
    Text,
    Comment,
}

/// Cuts text into names and the rest.
struct Tokens<'t> {
    text: &'t str,
    pos: usize,
    quote: Option<u8>,
    /// `!` begins a comment.
    comments: bool,
}

impl<'t> Tokens<'t> {
    fn new(text: &'t str, pos: usize, quote: Option<u8>, comments: bool) -> Self {
        Tokens { text, pos, quote, comments }
    }

    fn next(&mut self) -> Option<(Kind, usize, usize)> {
        let bytes = self.text.as_bytes();
        let start = self.pos;
        let first = *bytes.get(start)?;
        let mut i = start;
        let mut kind = Kind::Text;
        if self.quote.is_some() || first == b'\'' || first == b'"' {
            if self.quote.is_none() {
                self.quote = Some(first);
                i += 1;
            }
            while i < bytes.len() && Some(bytes[i]) != self.quote {
                i += 1;
            }
            if i < bytes.len() {
                self.quote = None;
                i += 1;
            }
        } else if first == b'!' && self.comments {
            kind = Kind::Comment;
            i = bytes.len();
        } else if first.is_ascii_digit() {
            i = number_end(bytes, i);
        } else if first.is_ascii_alphabetic() || first == b'_' {
            kind = Kind::Name;
            i += bytes[i..].iter().take_while(|&&b| is_word(b)).count();
        } else {
            let stops = |b: u8| is_word(b) || b == b'\'' || b == b'"' || (b == b'!' && self.comments);
            i += 1;
            while i < bytes.len() && !stops(bytes[i]) {
                i += 1;
            }
        }
        self.pos = i;
        Some((kind, start, i))
    }
}

/// The end of a number: a kind suffix belongs to it, and an exponent after a point, but not `.and.`.
fn number_end(bytes: &[u8], start: usize) -> usize {
    let words = |from: usize| from + bytes[from..].iter().take_while(|&&b| is_word(b)).count();
    let i = words(start);
    if bytes.get(i) != Some(&b'.') {
        return i;
    }
    let after = &bytes[i + 1..];
    let exponent = matches!(after.first(), Some(b'd' | b'D' | b'e' | b'E' | b'q' | b'Q'))
        && after.get(1).is_some_and(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-'));
    // `1._wp` is one token too.
    let joined = exponent || matches!(after.first(), Some(b'0'..=b'9' | b'_'));
    if joined { words(i + 1) } else { i + 1 }
}

/// What became of a line.
pub(crate) enum Outcome {
    /// No macro stands in it.
    Unchanged,
    /// Macros were replaced.
    Changed(Expanded),
    /// The arguments of a macro go on in the next line.
    Unclosed(String),
}

/// Expansion of one line.
pub(crate) struct Expansion<'m> {
    macros: &'m Macros,
    file: &'m str,
    line: usize,
    budget: usize,
    depth: usize,
    /// The first thing that went wrong.
    pub(crate) problem: Option<String>,
}

enum Replaced {
    No,
    By(String, usize),
    Unclosed,
}

impl<'m> Expansion<'m> {
    /// For the line numbered `line` of `file`.
    pub(crate) fn new(macros: &'m Macros, file: &'m str, line: usize) -> Self {
        Expansion { macros, file, line, budget: BUDGET, depth: 0, problem: None }
    }

    /// Expands a physical line from byte `from` on; `quote` is the string open at its start, then at its end.
    pub(crate) fn line(&mut self, text: &str, segments: &[Segment], from: usize, quote: &mut Option<u8>) -> Outcome {
        let mut tokens = Tokens::new(text, from, *quote, true);
        let mut out: Option<Expanded> = None;
        let mut copied = 0;
        while let Some((kind, start, end)) = tokens.next() {
            if kind != Kind::Name {
                continue;
            }
            match self.replace(text, start, end, &mut Vec::new()) {
                Replaced::No => {}
                Replaced::Unclosed => return Outcome::Unclosed(text.get(start..end).unwrap_or("").to_string()),
                Replaced::By(by, stop) => {
                    let out = out.get_or_insert_with(|| Expanded { text: String::new(), segments: Vec::new() });
                    copy(text, segments, copied, start, out);
                    if !by.is_empty() {
                        let span = cover(text, segments, start, stop);
                        out.segments.push(Segment { offset: out.text.len() as u32, span, verbatim: false });
                        out.text.push_str(&by);
                    }
                    copied = stop;
                    tokens.pos = stop;
                }
            }
        }
        *quote = tokens.quote;
        match out {
            None => Outcome::Unchanged,
            Some(mut out) => {
                copy(text, segments, copied, text.len(), &mut out);
                Outcome::Changed(out)
            }
        }
    }

    /// Expands text that isn't a Fortran line: a body, an argument, the expression of an `#if`.
    pub(crate) fn text<'t>(&mut self, text: &'t str, hide: &mut Vec<&'m str>) -> Cow<'t, str> {
        let mut tokens = Tokens::new(text, 0, None, false);
        let mut out: Option<String> = None;
        let mut copied = 0;
        while let Some((kind, start, end)) = tokens.next() {
            if kind == Kind::Name
                && let Replaced::By(by, stop) = self.replace(text, start, end, hide)
            {
                let out = out.get_or_insert_with(String::new);
                out.push_str(text.get(copied..start).unwrap_or(""));
                out.push_str(&by);
                copied = stop;
                tokens.pos = stop;
            }
        }
        match out {
            None => Cow::Borrowed(text),
            Some(mut out) => {
                out.push_str(text.get(copied..).unwrap_or(""));
                Cow::Owned(out)
            }
        }
    }

    /// The replacement of the name at `start..end`, and where it ends with its arguments.
    fn replace(&mut self, text: &str, start: usize, end: usize, hide: &mut Vec<&'m str>) -> Replaced {
        let name = text.get(start..end).unwrap_or("");
        match name {
            "__LINE__" => return Replaced::By(self.line.to_string(), end),
            "__FILE__" => return Replaced::By(format!("\"{}\"", self.file), end),
            // The same input must give the same bytes on every day.
            "__DATE__" => return Replaced::By("\"??? ?? ????\"".to_string(), end),
            "__TIME__" => return Replaced::By("\"??:??:??\"".to_string(), end),
            _ => {}
        }
        let Some((key, mac)) = self.macros.table.get_key_value(name) else { return Replaced::No };
        if hide.contains(&key.as_str()) {
            return Replaced::No;
        }
        if self.depth >= DEPTH || self.budget == 0 {
            self.problem.get_or_insert_with(|| format!("the expansion of `{name}` doesn't come to an end"));
            return Replaced::No;
        }
        self.depth += 1;
        let replaced = match &mac.params {
            None => self.object(text, end, key, &mac.body, hide),
            Some(params) => self.call(text, end, key, mac, params, hide),
        };
        self.depth -= 1;
        if let Replaced::By(by, _) = &replaced {
            self.budget = self.budget.saturating_sub(by.len() + 1);
        }
        replaced
    }

    fn object(&mut self, text: &str, end: usize, key: &'m str, body: &str, hide: &mut Vec<&'m str>) -> Replaced {
        let plain: String = body.chars().filter(|&c| c != PASTE).collect();
        hide.push(key);
        let by = self.text(&plain, hide).into_owned();
        // A body that is the name of a function-like macro takes the arguments that follow its use.
        let name = by.trim();
        let called = text.as_bytes().get(end) == Some(&b'(') && identifier(name).len() == name.len();
        let replaced = match self.macros.table.get_key_value(name) {
            Some((inner, mac)) if called && !hide.contains(&inner.as_str()) => match &mac.params {
                Some(params) => self.call(text, end, inner, mac, params, hide),
                None => Replaced::By(by, end),
            },
            _ => Replaced::By(by, end),
        };
        hide.pop();
        replaced
    }

    fn call(
        &mut self,
        text: &str,
        end: usize,
        key: &'m str,
        mac: &'m Macro,
        params: &[String],
        hide: &mut Vec<&'m str>,
    ) -> Replaced {
        let Some(open) = first_nonblank(text, end).filter(|&i| text.as_bytes()[i] == b'(') else {
            return Replaced::No;
        };
        let Some((mut args, stop)) = arguments(text, open) else { return Replaced::Unclosed };
        if params.is_empty() && args.len() == 1 && args[0].trim().is_empty() {
            args.clear();
        }
        if mac.variadic && args.len() >= params.len() {
            let rest = args[params.len() - 1..].join(",");
            args.truncate(params.len() - 1);
            args.push(rest);
        } else if mac.variadic && args.len() + 1 == params.len() {
            args.push(String::new());
        }
        if args.len() != params.len() {
            let (n, m) = (args.len(), params.len());
            self.problem.get_or_insert_with(|| format!("the macro `{key}` takes {m} arguments, not {n}"));
            return Replaced::No;
        }
        let expanded: Vec<String> = args.iter().map(|a| self.text(a.trim(), hide).into_owned()).collect();
        let by = substitute(&mac.body, params, &args, &expanded);
        self.budget = self.budget.saturating_sub(by.len());
        hide.push(key);
        let by = self.text(&by, hide).into_owned();
        hide.pop();
        Replaced::By(by, stop)
    }
}

/// The arguments between the parenthesis at `open` and its partner, and the place after that; `None` if it isn't closed.
fn arguments(text: &str, open: usize) -> Option<(Vec<String>, usize)> {
    let (mut depth, mut quote) = (0usize, None);
    let mut args = Vec::new();
    let mut from = open + 1;
    for (i, b) in text.bytes().enumerate().skip(open) {
        match (quote, b) {
            (Some(q), _) if b == q => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(b),
            (None, b'(') => depth += 1,
            (None, b')') => {
                depth -= 1;
                if depth == 0 {
                    args.push(text.get(from..i)?.to_string());
                    return Some((args, i + 1));
                }
            }
            (None, b',') if depth == 1 => {
                args.push(text.get(from..i)?.to_string());
                from = i + 1;
            }
            _ => {}
        }
    }
    None
}

/// Puts arguments into a body: `raw` beside a paste mark, in a string or after `#`, else `expanded`.
fn substitute(body: &str, params: &[String], raw: &[String], expanded: &[String]) -> String {
    let mut out = String::with_capacity(body.len());
    let bytes = body.as_bytes();
    let mut tokens = Tokens::new(body, 0, None, false);
    let index = |name: &str| params.iter().position(|p| p == name);
    while let Some((kind, start, end)) = tokens.next() {
        let word = body.get(start..end).unwrap_or("");
        if kind != Kind::Name {
            let string = word.starts_with(['\'', '"']);
            if string {
                within_string(word, &index, raw, &mut out)
            } else {
                out.push_str(word)
            }
            continue;
        }
        let Some(i) = index(word) else {
            out.push_str(word);
            continue;
        };
        let pasted = bytes.get(end) == Some(&(PASTE as u8)) || out.ends_with(PASTE);
        if out.ends_with('#') {
            out.pop();
            out.push('"');
            out.push_str(&raw[i].trim().replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(if pasted { raw[i].trim() } else { &expanded[i] });
        }
    }
    out.retain(|c| c != PASTE);
    out
}

/// A traditional preprocessor replaces parameters in the strings of a body: `#define STR(x) "x"`.
fn within_string(word: &str, index: &dyn Fn(&str) -> Option<usize>, raw: &[String], out: &mut String) {
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        let name = identifier(rest);
        let n = if name.is_empty() { c.len_utf8() } else { name.len() };
        let (head, tail) = rest.split_at(n);
        out.push_str(index(head).map_or(head, |i| raw[i].trim()));
        rest = tail;
    }
}

/// Copies bytes `start..end` of a line with their map.
fn copy(text: &str, segments: &[Segment], start: usize, end: usize, out: &mut Expanded) {
    let Some(words) = text.get(start..end).filter(|t| !t.is_empty()) else { return };
    let base = out.text.len() as u32;
    for_each_piece(segments, start as u32, end as u32, text.len() as u32, |piece| {
        out.segments.push(Segment { offset: piece.offset - start as u32 + base, ..piece });
    });
    out.text.push_str(words);
}

/// The user's span of bytes `start..end` of a line.
fn cover(text: &str, segments: &[Segment], start: usize, end: usize) -> Span {
    let mut out: Option<Span> = None;
    for_each_piece(segments, start as u32, end as u32, text.len() as u32, |piece| {
        out = Some(out.map_or(piece.span, |o| o.to(piece.span)));
    });
    out.unwrap_or_default()
}

/// True when the text's last character that isn't blank is a `&`.
pub(crate) fn ends_in_ampersand(text: &str) -> bool {
    text.bytes().rev().find(|&b| !is_blank(b)) == Some(b'&')
}
