//! Free form: continuation, comments, `;` and labels taken apart; one statement a line comes out, with a side table.

use super::physical::{self, PhysicalKind, PhysicalLine, first_nonblank, for_each_piece, is_blank};
use crate::diag::{Code, Diagnostic};
use crate::lines::{FileLines, LogicalLine, Segment, Sentinel, Trivia, TriviaKind};
use crate::source::{FileId, SourceMap, Span};

/// Reads a free-form file that needs no preprocessing; `include` lines are left as trivia.
pub fn free(source: &SourceMap, file: FileId) -> (FileLines, Vec<Diagnostic>) {
    let lines: Vec<PhysicalLine> = physical::split(source, file)
        .into_iter()
        .map(|span| match physical::included(source.text(span)) {
            Some(_) => PhysicalLine::preprocessor(span),
            None => PhysicalLine::plain(span, false),
        })
        .collect();
    build(source, file, &lines)
}

/// Makes statements and side table of a stream of physical lines.
pub fn build(source: &SourceMap, file: FileId, lines: &[PhysicalLine]) -> (FileLines, Vec<Diagnostic>) {
    let mut builder = Builder {
        source,
        out: FileLines { file, lines: Vec::with_capacity(lines.len()), ..FileLines::default() },
        diagnostics: Vec::new(),
        open: None,
        directive: None,
        blanks: None,
    };
    for line in lines {
        builder.line(line);
    }
    builder.close();
    (builder.out, builder.diagnostics)
}

/// A statement under way.
#[derive(Default)]
struct Statement {
    text: String,
    segments: Vec<Segment>,
    derived: bool,
    conditional: bool,
    /// The quote of a string that is open at this point.
    quote: Option<u8>,
    /// The `&` that says that another line follows.
    ampersand: Option<Span>,
}

/// A directive that waits for its continuation line.
struct OpenDirective {
    sentinel: Sentinel,
    trivia: usize,
    ampersand: Span,
}

struct Builder<'a> {
    source: &'a SourceMap,
    out: FileLines,
    diagnostics: Vec<Diagnostic>,
    open: Option<Statement>,
    directive: Option<OpenDirective>,
    blanks: Option<(u32, Span)>,
}

impl Builder<'_> {
    fn line(&mut self, line: &PhysicalLine) {
        if line.kind == PhysicalKind::Preprocessor {
            let text = self.source.text(line.span).to_string();
            return self.trivia(TriviaKind::Preprocessor, text, line.span, false);
        }
        let text = line.text(self.source);
        match first_nonblank(text, 0) {
            None => self.blank(line.span),
            Some(at) if text.as_bytes()[at] == b'!' => self.comment_line(line, text, at),
            Some(at) => {
                self.flush_blanks();
                self.statement_line(line, text, at, line.conditional);
            }
        }
    }

    fn close(&mut self) {
        self.flush_blanks();
        if let Some(statement) = self.open.take() {
            if let Some(at) = statement.ampersand {
                self.diagnostics.push(
                    Diagnostic::error(Code::BadContinuation, at, "the file ends within a continued statement")
                        .help("remove the `&`, or add the rest of the statement"),
                );
            }
            self.finish(statement);
        }
        self.end_directive();
    }

    fn blank(&mut self, span: Span) {
        match &mut self.blanks {
            Some((n, s)) if s.file == span.file => {
                *n += 1;
                *s = s.to(span);
            }
            _ => {
                self.flush_blanks();
                self.blanks = Some((1, span));
            }
        }
    }

    fn flush_blanks(&mut self) {
        if let Some((n, span)) = self.blanks.take() {
            let before = self.out.lines.len();
            let kind = TriviaKind::Blank(n);
            self.out.trivia.push(Trivia { kind, text: String::new(), span, before, trailing: false });
        }
    }

    fn trivia(&mut self, kind: TriviaKind, text: String, span: Span, trailing: bool) {
        self.flush_blanks();
        let before = self.out.lines.len();
        self.out.trivia.push(Trivia { kind, text, span, before, trailing });
    }

    fn comment_line(&mut self, line: &PhysicalLine, text: &str, at: usize) {
        let body = text.get(at..).unwrap_or("");
        let end = at + trimmed_len(body);
        match sentinel(body) {
            Some((Sentinel::Vendor, _)) => {
                let text = text.get(at..end).unwrap_or("").to_string();
                self.trivia(TriviaKind::Directive(Sentinel::Vendor), text, line.span_of(at, end), false);
            }
            Some((which, len)) => self.directive_line(line, text, at, at + len, which),
            None => match physical::conditional(body).and_then(|len| first_nonblank(text, at + len)) {
                Some(code) => {
                    self.flush_blanks();
                    self.statement_line(line, text, code, true);
                }
                None => {
                    let text = text.get(at..end).unwrap_or("").to_string();
                    self.trivia(TriviaKind::Comment, text, line.span_of(at, end), false);
                }
            },
        }
    }

    /// A line with a sentinel at `at` whose text starts at `body`: a directive, or the continuation of one.
    fn directive_line(&mut self, line: &PhysicalLine, text: &str, at: usize, body: usize, which: Sentinel) {
        let (code, ampersand, comment) = split_directive(text, body);
        let mut code = code;
        let joined = match &self.directive {
            Some(open) if open.sentinel == which => Some(open.trivia),
            _ => None,
        };
        let span = line.span_of(at, comment.unwrap_or(text.len()).max(at)).to(line.span_of(at, at + 1));
        let span = Span { end: span.end.max(line.span_of(at, body).end), ..span };
        let index = match joined.and_then(|i| self.out.trivia.get_mut(i).map(|t| (i, t))) {
            Some((i, trivia)) => {
                let direct = code.starts_with('&');
                code = if direct { code.get(1..).unwrap_or("") } else { code };
                if !direct && !trivia.text.is_empty() && !trivia.text.ends_with(' ') {
                    trivia.text.push(' ');
                }
                trivia.text.push_str(if direct { code } else { code.trim_start() });
                trivia.span = trivia.span.to(span);
                i
            }
            None => {
                self.end_directive();
                let text = code.trim_start().to_string();
                self.trivia(TriviaKind::Directive(which), text, span, false);
                self.out.trivia.len() - 1
            }
        };
        self.directive =
            ampersand.map(|i| OpenDirective { sentinel: which, trivia: index, ampersand: line.span_of(i, i + 1) });
        if self.directive.is_none() {
            let len = self.out.trivia[index].text.trim_end().len();
            self.out.trivia[index].text.truncate(len);
        }
        if let Some(from) = comment {
            let end = from + trimmed_len(text.get(from..).unwrap_or(""));
            let words = text.get(from..end).unwrap_or("").to_string();
            self.trivia(TriviaKind::Comment, words, line.span_of(from, end), false);
        }
    }

    /// A directive that still waits for its continuation gets none.
    fn end_directive(&mut self) {
        if let Some(open) = self.directive.take() {
            self.diagnostics.push(
                Diagnostic::error(Code::BadContinuation, open.ampersand, "a continued directive has no continuation")
                    .reason("the line after a directive's `&` must begin with the same sentinel")
                    .help("remove the `&`, or repeat the sentinel on the next line"),
            );
            if let Some(trivia) = self.out.trivia.get_mut(open.trivia) {
                trivia.text.truncate(trivia.text.trim_end().len());
            }
        }
    }

    /// A line of code, which begins at `at`. With a sentinel before it (`conditional`) it is one with OpenMP only.
    fn statement_line(&mut self, line: &PhysicalLine, text: &str, at: usize, conditional: bool) {
        if self.directive.is_some() {
            self.end_directive();
        }
        if self.open.as_ref().is_some_and(|s| s.conditional != conditional) {
            self.half_conditional(line.span_of(at, at + 1), conditional);
        }
        let mut pos = at;
        let leading = text.as_bytes()[at] == b'&';
        let mut statement = match self.open.take() {
            Some(mut statement) => {
                if leading {
                    pos += 1;
                } else if let (None, Some(ampersand)) = (statement.quote, statement.ampersand) {
                    // Without a leading `&` the line end counts as a blank; a string goes on with the first character.
                    let offset = statement.text.len() as u32;
                    if offset > 0 {
                        statement.segments.push(Segment { offset, span: ampersand, verbatim: false });
                        statement.text.push(' ');
                    }
                }
                statement.ampersand = None;
                statement
            }
            None => {
                if leading {
                    pos += 1;
                    self.stray_ampersand(line.span_of(at, at + 1), text, pos);
                }
                Statement { conditional, ..Statement::default() }
            }
        };
        loop {
            let stop = scan(text, pos, &mut statement.quote);
            statement.push(line, text, pos, stop.at);
            match stop.what {
                What::End => return self.finish(statement),
                What::Semicolon => {
                    let next = Statement { conditional, ..Statement::default() };
                    self.finish(std::mem::replace(&mut statement, next));
                    pos = stop.at + 1;
                }
                What::Comment => {
                    self.finish(statement);
                    return self.trailing_comment(line, text, stop.at);
                }
                What::Ampersand(comment) => {
                    statement.ampersand = Some(line.span_of(stop.at, stop.at + 1));
                    self.open = Some(statement);
                    if let Some(from) = comment {
                        self.trailing_comment(line, text, from);
                    }
                    return;
                }
            }
        }
    }

    /// A statement goes on from a conditional line to one that isn't, or the other way round.
    fn half_conditional(&mut self, span: Span, conditional: bool) {
        let which = if conditional { "that doesn't begin on one" } else { "that begins on one" };
        self.diagnostics.push(
            Diagnostic::error(Code::BadContinuation, span, format!("a conditional line in a statement {which}"))
                .reason("without OpenMP a conditional line is a comment, and the statement would be another one")
                .help("begin all lines of the statement with `!$`, or none"),
        );
    }

    /// A line with nothing but `&` is harmless; text after it continues a statement that isn't there.
    fn stray_ampersand(&mut self, span: Span, text: &str, after: usize) {
        if first_nonblank(text, after).is_some_and(|i| text.as_bytes()[i] != b'!') {
            self.diagnostics.push(
                Diagnostic::error(Code::BadContinuation, span, "a continuation of nothing")
                    .reason("the statement before this line doesn't end in `&`")
                    .help("add the `&` there, or remove this one"),
            );
        }
    }

    fn trailing_comment(&mut self, line: &PhysicalLine, text: &str, at: usize) {
        let end = at + trimmed_len(text.get(at..).unwrap_or(""));
        let words = text.get(at..end).unwrap_or("").to_string();
        self.trivia(TriviaKind::Comment, words, line.span_of(at, end), true);
    }

    fn finish(&mut self, mut statement: Statement) {
        statement.trim();
        let (Some(first), Some(last)) = (statement.segments.first(), statement.segments.last()) else {
            return;
        };
        let span = first.span.to(last.span);
        let label = statement.take_label();
        if statement.text.is_empty() {
            self.diagnostics.push(
                Diagnostic::error(Code::Syntax, span, "a label without a statement")
                    .help("write `continue` after the label"),
            );
            return;
        }
        self.out.lines.push(LogicalLine {
            text: statement.text,
            label,
            segments: statement.segments,
            span,
            derived: statement.derived,
            conditional: statement.conditional,
        });
    }
}

impl Statement {
    /// Appends bytes `start..end` of a physical line; blanks before the first character of a statement are left out.
    fn push(&mut self, line: &PhysicalLine, text: &str, start: usize, end: usize) {
        let start = if self.text.is_empty() { first_nonblank(text, start).unwrap_or(end) } else { start };
        let Some(words) = text.get(start..end).filter(|t| !t.is_empty()) else {
            return;
        };
        let base = self.text.len() as u32;
        self.derived |= line.derived;
        match &line.expanded {
            None => self.segment(Segment { offset: base, span: line.span_of(start, end), verbatim: true }),
            Some(e) => {
                for_each_piece(&e.segments, start as u32, end as u32, e.text.len() as u32, |piece| {
                    self.segment(Segment { offset: piece.offset - start as u32 + base, ..piece });
                });
            }
        }
        self.text.push_str(words);
    }

    /// Adds a segment, or lengthens the last one where the new one follows it directly in the user's file.
    fn segment(&mut self, new: Segment) {
        if let Some(last) = self.segments.last_mut() {
            let adjacent = last.span.file == new.span.file && last.span.end == new.span.start;
            let meets = last.offset + (last.span.end - last.span.start) == new.offset;
            if last.verbatim && new.verbatim && adjacent && meets {
                last.span.end = new.span.end;
                return;
            }
        }
        self.segments.push(new);
    }

    /// Cuts trailing blanks from text and map.
    fn trim(&mut self) {
        let len = trimmed_len(&self.text);
        self.text.truncate(len);
        while self.segments.last().is_some_and(|s| s.offset as usize >= len) {
            self.segments.pop();
        }
        if let Some(last) = self.segments.last_mut()
            && last.verbatim
        {
            last.span.end = last.span.start + (len as u32 - last.offset);
        }
    }

    /// Takes the label off the front of the text.
    fn take_label(&mut self) -> Option<u32> {
        let digits = self.text.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 5 {
            return None;
        }
        let label = self.text.get(..digits)?.parse().ok()?;
        let rest = first_nonblank(&self.text, digits).unwrap_or(self.text.len());
        // Without a blank between, only a letter can begin the statement: `10 = x` or `1.5` is no label.
        if self.text.as_bytes().get(rest).is_some_and(|b| !b.is_ascii_alphabetic()) {
            return None;
        }
        let len = self.text.len() as u32;
        let mut kept = Vec::with_capacity(self.segments.len());
        for_each_piece(&self.segments, rest as u32, len, len, |piece| {
            kept.push(Segment { offset: piece.offset - rest as u32, ..piece });
        });
        self.segments = kept;
        self.text.drain(..rest);
        Some(label)
    }
}

/// Why [`scan`] stopped.
enum What {
    End,
    Semicolon,
    Comment,
    /// A continuation, with the place of a comment after it.
    Ampersand(Option<usize>),
}

struct Stop {
    at: usize,
    what: What,
}

/// Scans a line from `from` to the end of the statement on it, minding strings.
fn scan(text: &str, from: usize, quote: &mut Option<u8>) -> Stop {
    let bytes = text.as_bytes();
    let mut i = from;
    while i < bytes.len() {
        let b = bytes[i];
        match *quote {
            // A doubled quote closes and opens again, which comes to the same, even across a continuation.
            Some(q) if b == q => *quote = None,
            Some(_) if b == b'&' && first_nonblank(text, i + 1).is_none() => {
                return Stop { at: i, what: What::Ampersand(None) };
            }
            Some(_) => {}
            None => match b {
                b'\'' | b'"' => *quote = Some(b),
                b'!' => return Stop { at: i, what: What::Comment },
                b';' => return Stop { at: i, what: What::Semicolon },
                b'&' => match first_nonblank(text, i + 1) {
                    None => return Stop { at: i, what: What::Ampersand(None) },
                    Some(c) if bytes[c] == b'!' => return Stop { at: i, what: What::Ampersand(Some(c)) },
                    Some(_) => {}
                },
                _ => {}
            },
        }
        i += 1;
    }
    Stop { at: bytes.len(), what: What::End }
}

/// Splits the text of a directive line: its code (from the first character on), the place of a final `&`, and the
/// place of a comment.
fn split_directive(text: &str, body: usize) -> (&str, Option<usize>, Option<usize>) {
    let mut quote = None;
    let start = first_nonblank(text, body).unwrap_or(text.len());
    let mut from = start;
    // A leading `&` of a continuation line isn't a trailing one.
    if text.as_bytes().get(start) == Some(&b'&') {
        from += 1;
    }
    loop {
        let stop = scan(text, from, &mut quote);
        let code = text.get(start..stop.at).unwrap_or("");
        match stop.what {
            What::Semicolon => from = stop.at + 1,
            What::End => return (code, None, None),
            What::Comment => return (code, None, Some(stop.at)),
            What::Ampersand(comment) => return (code, Some(stop.at), comment),
        }
    }
}

/// The sentinel at the start of a comment, and its length; `None` for an ordinary comment.
pub(crate) fn sentinel(comment: &str) -> Option<(Sentinel, usize)> {
    let bytes = comment.as_bytes();
    let is = |word: &str| bytes.len() >= word.len() && bytes[..word.len()].eq_ignore_ascii_case(word.as_bytes());
    let ends = |n: usize| bytes.get(n).is_none_or(|&b| is_blank(b) || b == b'&');
    if is("!$") {
        for (word, which) in [("!$omp", Sentinel::Omp), ("!$acc", Sentinel::Acc), ("!$ad", Sentinel::Ad)] {
            if is(word) && ends(word.len()) {
                return Some((which, word.len()));
            }
        }
    }
    const VENDORS: [&str; 15] = [
        "!dir$", "!dec$", "!gcc$", "!pgi$", "!ibm*", "!nec$", "!cray$", "!cpgi$", "!cdir", "!ocl", "!$ompx", "!$omx",
        "!$cuf", "!$loki", "!$claw",
    ];
    VENDORS.iter().find(|v| is(v) && (v.ends_with(['$', '*']) || ends(v.len()))).map(|v| (Sentinel::Vendor, v.len()))
}

fn trimmed_len(text: &str) -> usize {
    text.bytes().rposition(|b| !is_blank(b)).map_or(0, |i| i + 1)
}
