//! Preprocessing as Fortran compilers do it (traditional mode), with a position map: what comes out are physical lines
//! that still know where in the user's files they stand.

mod cond;
mod macros;

use std::collections::BTreeSet;

use crate::diag::{Code, Diagnostic, Severity};
use crate::form::physical::{
    self, Expanded, Includer, PhysicalLine, conditional, first_nonblank, include, included, is_blank,
};
use crate::form::{Form, MacroFact, ReadOptions};
use crate::form::{columns, free};
use crate::lines::Segment;
use crate::source::{FileId, SourceMap, Span};
use macros::{Expansion, Macros, Outcome, ends_in_ampersand, identifier};

/// Over how many lines the arguments of a macro may run.
const CALL_LINES: usize = 256;

/// The lines of a file after preprocessing, and the macros that they depend on.
pub(crate) fn preprocess(
    source: &mut SourceMap,
    file: FileId,
    form: Form,
    options: &ReadOptions<'_>,
    includer: &mut Includer<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<PhysicalLine>, Vec<MacroFact>) {
    let mut macros = Macros::default();
    for (name, value) in &options.defines {
        if let Err(why) = macros.define(&format!("{name} {}", value.as_deref().unwrap_or("1"))) {
            diagnostics.push(Diagnostic::global(Code::Preprocessor, format!("option -D: {why}")));
        }
    }
    for name in &options.undefines {
        macros.undefine(name);
    }
    let mut p = Preprocessor {
        source,
        form,
        includer,
        diagnostics,
        macros,
        conditions: Vec::new(),
        out: Vec::new(),
        quote: None,
        comment: false,
        warned: BTreeSet::new(),
        included: false,
        local: BTreeSet::new(),
        used: BTreeSet::new(),
        given: options.defines.iter().map(|(name, _)| name.clone()).collect(),
    };
    p.file(file);
    let fact = |name: &String| {
        let given = options.defines.iter().rfind(|(n, _)| n == name && !options.undefines.contains(n));
        MacroFact { name: name.clone(), defined: given.is_some(), value: given.and_then(|(_, v)| v.clone()) }
    };
    // Names that begin with an underscore are the compiler's.
    let facts = p.used.iter().filter(|n| !n.starts_with('_') || p.given.contains(*n)).map(fact).collect();
    (p.out, facts)
}

/// An open `#if`.
struct Condition {
    /// The lines in this branch count.
    active: bool,
    /// A branch was taken already.
    taken: bool,
    /// The lines around count.
    parent: bool,
    has_else: bool,
    span: Span,
}

struct Preprocessor<'a, 'o> {
    source: &'a mut SourceMap,
    form: Form,
    includer: &'a mut Includer<'o>,
    diagnostics: &'a mut Vec<Diagnostic>,
    macros: Macros,
    conditions: Vec<Condition>,
    out: Vec<PhysicalLine>,
    /// The string open at the start of the next line.
    quote: Option<u8>,
    /// Within a C comment.
    comment: bool,
    warned: BTreeSet<String>,
    included: bool,
    /// Macros that the text has defined, or forgotten, itself.
    local: BTreeSet<String>,
    /// Other macros that the text depends on.
    used: BTreeSet<String>,
    /// Macros of the command line.
    given: BTreeSet<String>,
}

/// The lines of the file in work.
struct Lines<'t> {
    text: &'t str,
    name: &'t str,
    spans: &'t [Span],
}

impl<'t> Lines<'t> {
    fn get(&self, i: usize) -> Option<&'t str> {
        let span = self.spans.get(i)?;
        self.text.get(span.start as usize..span.end as usize)
    }
}

impl Preprocessor<'_, '_> {
    /// Notes the macros that a condition asks for.
    fn depends(&mut self, text: &str) {
        for name in identifiers(text).filter(|n| *n != "defined") {
            if !self.local.contains(name) {
                self.used.insert(name.to_string());
            }
        }
    }

    /// Notes the macros of the command line that a line of Fortran holds.
    fn expands(&mut self, text: &str) {
        let (given, local) = (&self.given, &self.local);
        let names = identifiers(text).filter(|n| given.contains(*n) && !local.contains(*n)).map(str::to_string);
        self.used.extend(names);
    }

    fn active(&self) -> bool {
        self.conditions.last().is_none_or(|c| c.active)
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        let d = Diagnostic::error(Code::Preprocessor, span, message);
        self.diagnostics
            .push(d.help("check the line with the compiler's preprocessor (`-E`), or preprocess the file first"));
    }

    fn file(&mut self, file: FileId) {
        let base = self.conditions.len();
        // A copy, as an include adds to the map while this file is being read.
        let text = self.source.file(file).text.clone();
        let name = self.source.file(file).name.clone();
        let spans = physical::split(self.source, file);
        let lines = Lines { text: &text, name: &name, spans: &spans };
        let mut i = 0;
        while let Some(line) = lines.get(i) {
            i = self.line(&lines, i, line, base);
        }
        while self.conditions.len() > base {
            if let Some(c) = self.conditions.pop() {
                self.error(c.span, "a conditional without its `#endif`");
            }
        }
        if self.comment {
            self.comment = false;
            if let Some(span) = spans.last() {
                self.error(*span, "a C comment without its end");
            }
        }
    }

    /// Works on line `i` and returns the next line's index.
    fn line(&mut self, lines: &Lines<'_>, i: usize, text: &str, base: usize) -> usize {
        let span = lines.spans[i];
        if self.comment {
            self.comment_end(text, span);
            return i + 1;
        }
        let Some(at) = first_nonblank(text, 0) else {
            if self.active() {
                self.out.push(PhysicalLine::plain(span, self.derived()));
            }
            return i + 1;
        };
        let rest = text.get(at..).unwrap_or("");
        // In fixed form `#` continues lines, in column 6, and `/` and `*` may.
        let fixed = self.form == Form::Fixed;
        if rest.starts_with('#') && (at == 0 || !fixed) {
            return self.directive(lines, i, base);
        }
        if !self.active() {
            return i + 1;
        }
        // Only where a statement can't begin so is it clear that C is meant.
        if self.quote.is_none() && rest.starts_with("/*") && !(fixed && columns::continues(text)) {
            self.comment = true;
            self.comment_end_from(text, span, at + 2);
            return i + 1;
        }
        if self.quote.is_none() && included(text).is_some() {
            self.fortran_include(text, span);
            return i + 1;
        }
        self.fortran(lines, i, at)
    }

    fn derived(&self) -> bool {
        self.included || !self.conditions.is_empty()
    }

    fn comment_end(&mut self, text: &str, span: Span) {
        self.comment_end_from(text, span, 0);
    }

    /// Looks for the end of a C comment; what follows it on the line is Fortran again.
    fn comment_end_from(&mut self, text: &str, span: Span, from: usize) {
        let close = text.get(from..).and_then(|t| t.find("*/")).map(|n| from + n + 2);
        let active = self.active();
        let stop = close.unwrap_or(text.len());
        self.comment = close.is_none();
        if active {
            self.out.push(PhysicalLine::preprocessor(Span { end: span.start + stop as u32, ..span }));
            if first_nonblank(text, stop).is_some() {
                let rest = Span { start: span.start + stop as u32, ..span };
                self.out.push(PhysicalLine::plain(rest, self.derived()));
            }
        }
    }

    fn fortran_include(&mut self, text: &str, span: Span) {
        self.out.push(PhysicalLine::preprocessor(span));
        let (name, conditional) = included(text).unwrap_or_default();
        let name = name.to_string();
        if let Some(line) = self.includer.module_instead(self.source, &name, span) {
            self.out.push(PhysicalLine { conditional, ..line });
        } else if let Some(file) = self.includer.enter(self.source, &name, span, self.diagnostics) {
            // As compilers do, without expanding macros in it.
            include(self.source, file, conditional, self.includer, self.diagnostics, &mut self.out);
            self.includer.leave();
        }
    }

    /// A line of Fortran whose first character stands at `at`.
    fn fortran(&mut self, lines: &Lines<'_>, i: usize, at: usize) -> usize {
        let span = lines.spans[i];
        let text = lines.get(i).unwrap_or("");
        // A comment is left alone, a directive isn't.
        let (comment, behind) = match self.form {
            Form::Free if text.as_bytes()[at] != b'!' => (false, None),
            Form::Free => (true, sentinel(text.get(at..).unwrap_or("")).map(|len| at + len)),
            Form::Fixed => (columns::is_comment(text), columns::behind_sentinel(text)),
        };
        if comment && behind.is_none() {
            self.out.push(PhysicalLine::plain(span, self.derived()));
            return i + 1;
        }
        let mut from = behind.unwrap_or(at);
        let directive = behind.is_some();
        let free = self.form == Form::Free;
        if free && !directive && self.quote.is_some() && text.as_bytes()[at] == b'&' {
            from = at + 1;
        }
        let mut quote = if directive { None } else { self.quote };
        let whole = [Segment { offset: 0, span, verbatim: true }];
        let mut expansion = Expansion::new(&self.macros, lines.name, i + 1);
        let outcome = expansion.line(text, &whole, from, &mut quote);
        let problem = expansion.problem.take();
        if let Some(message) = problem {
            self.error(span, message);
        }
        match outcome {
            Outcome::Unclosed(name) => return self.call_over_lines(lines, i, from, directive, &name),
            Outcome::Unchanged => self.out.push(PhysicalLine::plain(span, self.derived())),
            Outcome::Changed(expanded) => {
                self.expands(text);
                self.push_expanded(span, expanded);
            }
        }
        if !directive {
            // A string goes on only over a `&`; any other open quote ends with its line.
            let next = lines.get(i + 1).unwrap_or("");
            let goes_on = if free { ends_in_ampersand(text) } else { columns::continues(next) };
            self.quote = quote.filter(|_| goes_on);
        }
        i + 1
    }

    fn push_expanded(&mut self, span: Span, expanded: Expanded) {
        let expanded = Some(Box::new(expanded));
        self.out.push(PhysicalLine { expanded, ..PhysicalLine::plain(span, true) });
    }

    /// A macro whose arguments run over continued lines: these are joined before it is expanded.
    fn call_over_lines(&mut self, lines: &Lines<'_>, i: usize, from: usize, directive: bool, name: &str) -> usize {
        let mut joined = Joined { quote: if directive { None } else { self.quote }, directive, ..Joined::default() };
        let mut next = i;
        while next < lines.spans.len().min(i + CALL_LINES) && joined.add(lines, next, (next == i).then_some(from)) {
            next += 1;
            // Another try for each line read: a closing parenthesis is needed for any chance.
            if !lines.get(next - 1).is_some_and(|t| t.contains(')')) && next > i + 1 {
                continue;
            }
            let mut expansion = Expansion::new(&self.macros, lines.name, i + 1);
            let mut quote = if directive { None } else { self.quote };
            let outcome = expansion.line(&joined.text, &joined.segments, from, &mut quote);
            let problem = expansion.problem.take();
            if let Outcome::Changed(expanded) = outcome {
                let span = lines.spans[i].to(lines.spans[next - 1]);
                if let Some(message) = problem {
                    self.error(span, message);
                }
                self.quote = quote.filter(|_| !directive && ends_in_ampersand(&joined.text));
                let derived = self.derived();
                self.expands(&joined.text);
                self.out.extend(joined.comments.iter().map(|c| PhysicalLine::plain(*c, derived)));
                self.push_expanded(span, expanded);
                return next;
            }
        }
        let span = lines.spans[i];
        self.error(span, format!("the arguments of the macro `{name}` aren't closed"));
        self.out.push(PhysicalLine::plain(span, self.derived()));
        i + 1
    }

    /// A `#` line at `i`, with the lines that its backslashes join to it.
    fn directive(&mut self, lines: &Lines<'_>, i: usize, base: usize) -> usize {
        let mut text = String::new();
        let mut next = i;
        while let Some(piece) = lines.get(next) {
            next += 1;
            let piece = piece.trim_end_matches(|c: char| c.is_ascii() && is_blank(c as u8));
            match piece.strip_suffix('\\') {
                Some(piece) => {
                    text.push_str(piece);
                    text.push(' ');
                }
                None => {
                    text.push_str(piece);
                    break;
                }
            }
        }
        let span = lines.spans[i].to(lines.spans[next - 1]);
        let at = text.find('#').map_or(0, |n| n + 1);
        let rest = text.get(at..).unwrap_or("").trim_start();
        let word = identifier(rest);
        let rest = rest.get(word.len()..).unwrap_or("").to_string();
        let shown = match (word, self.conditions.last()) {
            ("elif" | "else" | "endif", Some(c)) => c.parent,
            _ => self.active(),
        };
        let include = self.act(word, &rest, span, base, lines.name, i + 1);
        if shown {
            self.out.extend(lines.spans[i..next].iter().map(|s| PhysicalLine::preprocessor(*s)));
        }
        if let Some(file) = include {
            let outer = std::mem::replace(&mut self.included, true);
            self.file(file);
            self.included = outer;
            self.includer.leave();
        }
        next
    }

    /// Acts on a directive; the file to include, if it says so.
    fn act(&mut self, word: &str, rest: &str, span: Span, base: usize, file: &str, line: usize) -> Option<FileId> {
        match word {
            "if" | "ifdef" | "ifndef" => self.begin(word, rest, span, file, line),
            "elif" | "else" | "endif" => self.branch(word, rest, span, base, file, line),
            _ if !self.active() => {}
            "define" => {
                if let Err(why) = self.macros.define(rest) {
                    self.error(span, why);
                }
                self.expands(rest.trim_start().get(identifier(rest.trim_start()).len()..).unwrap_or(""));
                self.local.insert(identifier(rest.trim_start()).to_string());
                self.open_comment(rest);
            }
            "undef" => match identifier(rest.trim_start()) {
                "" => self.error(span, "`#undef` without a name"),
                name => {
                    self.macros.undefine(name);
                    self.local.insert(name.to_string());
                }
            },
            "include" => return self.include(rest, span, file, line),
            "error" => self.error(span, format!("#error{rest}")),
            "warning" => {
                let d = Diagnostic::error(Code::Preprocessor, span, format!("#warning{rest}"));
                self.diagnostics.push(d.severity(Severity::Warning));
            }
            "" if rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit()) => {}
            "line" | "pragma" | "ident" | "sccs" | "assert" | "unassert" => {}
            _ => self.error(span, format!("`#{word}` isn't a preprocessor directive")),
        }
        None
    }

    /// A comment that a directive opens goes on in the next line.
    fn open_comment(&mut self, rest: &str) {
        if let Some(open) = rest.rfind("/*") {
            self.comment = !rest.get(open..).unwrap_or("").contains("*/");
        }
    }

    fn begin(&mut self, word: &str, rest: &str, span: Span, file: &str, line: usize) {
        let parent = self.active();
        let value = if !parent {
            false
        } else if word == "if" {
            self.evaluate(rest, span, file, line)
        } else {
            let name = identifier(rest.trim_start()).to_string();
            if name.is_empty() {
                self.error(span, format!("`#{word}` without a name"));
            }
            self.depends(&name);
            self.macros.defined(&name) == (word == "ifdef")
        };
        self.conditions.push(Condition { active: parent && value, taken: value, parent, has_else: false, span });
    }

    fn branch(&mut self, word: &str, rest: &str, span: Span, base: usize, file: &str, line: usize) {
        if self.conditions.len() <= base {
            return self.error(span, format!("`#{word}` without `#if`"));
        }
        if word == "endif" {
            self.conditions.pop();
            return;
        }
        let Some(c) = self.conditions.last_mut() else { return };
        if c.has_else {
            return self.error(span, format!("`#{word}` after `#else`"));
        }
        c.active = false;
        let open = c.parent && !c.taken;
        if word == "else" {
            c.has_else = true;
            c.active = open;
            c.taken = true;
        } else if open {
            let value = self.evaluate(rest, span, file, line);
            if let Some(c) = self.conditions.last_mut() {
                c.active = value;
                c.taken = value;
            }
        }
    }

    fn evaluate(&mut self, rest: &str, span: Span, file: &str, line: usize) -> bool {
        let text = without_comments(rest);
        self.depends(&text);
        let mut expansion = Expansion::new(&self.macros, file, line);
        let result = cond::evaluate(&text, &self.macros, &mut expansion);
        let problem = expansion.problem.take();
        match result {
            Ok(value) => {
                for name in value.undefined {
                    if self.warned.insert(name.clone()) {
                        let d = Diagnostic::error(
                            Code::Preprocessor,
                            span,
                            format!("`{name}` isn't defined and counts as 0"),
                        );
                        let d = d.severity(Severity::Warning).help(format!("give `-D {name}=...` as your build does"));
                        self.diagnostics.push(d);
                    }
                }
                if let Some(message) = problem {
                    self.error(span, message);
                }
                value.value != 0
            }
            Err(message) => {
                self.error(span, message);
                false
            }
        }
    }

    fn include(&mut self, rest: &str, span: Span, file: &str, line: usize) -> Option<FileId> {
        let mut expansion = Expansion::new(&self.macros, file, line);
        let text = rest.trim();
        let text = if text.starts_with(['"', '<']) {
            text.to_string()
        } else {
            expansion.text(text, &mut Vec::new()).into_owned()
        };
        let text = text.trim();
        let name = match text.as_bytes().first() {
            Some(b'"') => text.get(1..).and_then(|t| t.split_once('"')),
            Some(b'\'') => text.get(1..).and_then(|t| t.split_once('\'')),
            Some(b'<') => text.get(1..).and_then(|t| t.split_once('>')),
            _ => None,
        };
        match name {
            Some((name, _)) if !name.is_empty() => self.includer.enter(self.source, name, span, self.diagnostics),
            _ => {
                self.error(span, "`#include` without a file name");
                None
            }
        }
    }
}

/// The length of the sentinel of a directive or a conditional line.
fn sentinel(comment: &str) -> Option<usize> {
    free::sentinel(comment).map(|(_, len)| len).or_else(|| conditional(comment))
}

/// The names in a text.
fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let word = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    text.split(word).filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

/// Continued lines as one, for a macro whose arguments run over them.
#[derive(Default)]
struct Joined {
    text: String,
    segments: Vec<Segment>,
    /// Comments that stood between; they come before the statement instead.
    comments: Vec<Span>,
    quote: Option<u8>,
    directive: bool,
}

impl Joined {
    /// Appends line `k`; false where the call can't go on there. `first` is where the code of the first line begins.
    fn add(&mut self, lines: &Lines<'_>, k: usize, first: Option<usize>) -> bool {
        let (Some(text), Some(&span)) = (lines.get(k), lines.spans.get(k)) else { return false };
        let place = |start: usize, end: usize| Span::new(span.file, span.start + start as u32, span.start + end as u32);
        let mut start = 0;
        if first.is_none() {
            if !ends_in_ampersand(&self.text) {
                return false;
            }
            let Some(mut at) = first_nonblank(text, 0) else { return true };
            let body = text.get(at..).unwrap_or("");
            match (sentinel(body), body.as_bytes().first()) {
                (Some(len), _) if self.directive => at = first_nonblank(text, at + len).unwrap_or(text.len()),
                (_, Some(b'!')) => {
                    self.comments.push(place(at, text.len()));
                    return true;
                }
                (_, Some(b'#')) => return false,
                _ => {}
            }
            let len = self.text.bytes().rposition(|b| b == b'&').unwrap_or(0);
            self.text.truncate(len);
            self.segments.retain(|s| (s.offset as usize) < len);
            let leading = text.as_bytes().get(at) == Some(&b'&');
            start = if leading { at + 1 } else { at };
            if !leading && self.quote.is_none() {
                self.segments.push(Segment { offset: len as u32, span: place(0, 0), verbatim: false });
                self.text.push(' ');
            }
        }
        let end = code_end(text, first.unwrap_or(start), &mut self.quote);
        if end < text.len() {
            self.comments.push(place(end, text.len()));
        }
        self.segments.push(Segment { offset: self.text.len() as u32, span: place(start, end), verbatim: true });
        self.text.push_str(text.get(start..end).unwrap_or(""));
        true
    }
}

/// The text without its C comments.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        out.push(' ');
        rest = after.split_once("*/").map_or("", |(_, r)| r);
    }
    out.push_str(rest);
    out
}

/// Where the code of a line ends: before its comment.
fn code_end(text: &str, from: usize, quote: &mut Option<u8>) -> usize {
    for (i, b) in text.bytes().enumerate().skip(from) {
        match (*quote, b) {
            (Some(q), _) if b == q => *quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => *quote = Some(b),
            (None, b'!') => return i,
            _ => {}
        }
    }
    text.len()
}
