//! Physical lines: what the line builder reads, whether they come from the file itself, an included file or the preprocessor.

use std::collections::BTreeSet;

pub(crate) use super::blanks::{first_nonblank, is_blank};
use super::options::ReadOptions;
use crate::diag::{Code, Diagnostic, Severity};
use crate::lines::Segment;
use crate::source::{FileId, SourceFile, SourceMap, Span};

/// How deep includes may nest; an include without a guard that includes itself ends here.
const INCLUDE_DEPTH: usize = 40;
/// How many includes one file may cause in all: two includes of itself would otherwise double with each level.
const INCLUDE_COUNT: usize = 10_000;

/// What a physical line is to the line builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhysicalKind {
    /// Fortran text.
    Source,
    /// A preprocessor line or an `include` line that has been acted on: only trivia.
    Preprocessor,
}

/// The text of a line that macros changed, with its map to the user's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expanded {
    /// The text after expansion.
    pub text: String,
    /// Map of `text`, in order of `offset`.
    pub segments: Vec<Segment>,
}

/// One line of the stream that is made into statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhysicalLine {
    /// What it is.
    pub kind: PhysicalKind,
    /// The line in the user's file, without its line end.
    pub span: Span,
    /// True when it stands in an included file or a conditional, or was changed by a macro.
    pub derived: bool,
    /// True when it stands in a file that a conditional line (`!$ include`) names.
    pub conditional: bool,
    /// Its text where that isn't the text of `span`.
    pub expanded: Option<Box<Expanded>>,
}

impl PhysicalLine {
    /// A line of Fortran as it stands in the file.
    pub fn plain(span: Span, derived: bool) -> Self {
        PhysicalLine { kind: PhysicalKind::Source, span, derived, conditional: false, expanded: None }
    }

    /// A line that only leaves trivia.
    pub fn preprocessor(span: Span) -> Self {
        PhysicalLine { kind: PhysicalKind::Preprocessor, span, derived: false, conditional: false, expanded: None }
    }

    /// The text of the line.
    pub fn text<'a>(&'a self, source: &'a SourceMap) -> &'a str {
        match &self.expanded {
            Some(e) => &e.text,
            None => source.text(self.span),
        }
    }

    /// The user's span of bytes `start..end` of the line's text.
    pub fn span_of(&self, start: usize, end: usize) -> Span {
        let Some(expanded) = &self.expanded else {
            return Span::new(self.span.file, self.span.start + start as u32, self.span.start + end as u32);
        };
        let mut out: Option<Span> = None;
        for_each_piece(&expanded.segments, start as u32, end as u32, expanded.text.len() as u32, |piece| {
            out = Some(out.map_or(piece.span, |o| o.to(piece.span)));
        });
        out.unwrap_or(self.span)
    }
}

/// Calls `f` with the parts of `segments` that map bytes `start..end` of a text of `len` bytes, cut to that range.
pub(crate) fn for_each_piece(segments: &[Segment], start: u32, end: u32, len: u32, mut f: impl FnMut(Segment)) {
    let first = segments.partition_point(|s| s.offset <= start).max(1) - 1;
    for (i, seg) in segments.iter().enumerate().skip(first) {
        if seg.offset >= end {
            break;
        }
        let seg_end = segments.get(i + 1).map_or(len, |s| s.offset);
        let (from, to) = (seg.offset.max(start), seg_end.min(end));
        if from >= to {
            continue;
        }
        let mut piece = Segment { offset: from, ..*seg };
        if seg.verbatim {
            piece.span.start = seg.span.start + (from - seg.offset);
            piece.span.end = seg.span.start + (to - seg.offset);
        }
        f(piece);
    }
}

/// The physical lines of a file as spans without line ends; a byte order mark is skipped.
pub(crate) fn split(source: &SourceMap, file: FileId) -> Vec<Span> {
    let f = source.file(file);
    let bytes = f.text.as_bytes();
    let mut start = if f.text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut out = Vec::with_capacity(f.line_count());
    while start < bytes.len() {
        let stop = f.text.get(start..).and_then(|t| t.find('\n')).map_or(bytes.len(), |n| start + n);
        let mut end = stop;
        while end > start && bytes[end - 1] == b'\r' {
            end -= 1;
        }
        out.push(Span::new(file, start as u32, end as u32));
        start = stop + 1;
    }
    out
}

/// The file name of an `include 'file'` line; `None` for any other line.
pub(crate) fn include_name(text: &str) -> Option<&str> {
    let at = first_nonblank(text, 0)?;
    let word = text.get(at..at + 7)?;
    if !word.eq_ignore_ascii_case("include") {
        return None;
    }
    let open = first_nonblank(text, at + 7)?;
    let quote = text.as_bytes()[open];
    if quote != b'\'' && quote != b'"' {
        return None;
    }
    let rest = text.get(open + 1..)?;
    let close = rest.bytes().position(|b| b == quote)?;
    match first_nonblank(rest, close + 1).map(|i| rest.as_bytes()[i]) {
        None | Some(b'!') if close > 0 => rest.get(..close),
        _ => None,
    }
}

/// The file name of an `include` line, and whether the line is conditional (`!$ include 'file'`).
pub(crate) fn included(text: &str) -> Option<(&str, bool)> {
    let at = first_nonblank(text, 0)?;
    let after = conditional(text.get(at..)?).map(|len| at + len);
    Some((include_name(text.get(after.unwrap_or(at)..)?)?, after.is_some()))
}

/// The length of the sentinel of a conditional line (`!$ `) at the start of a comment.
pub(crate) fn conditional(comment: &str) -> Option<usize> {
    let rest = comment.strip_prefix("!$")?;
    let blank = rest.bytes().next().is_some_and(|b| is_blank(b) || b == b'&');
    let code = first_nonblank(rest, 0).is_some_and(|i| rest.as_bytes()[i] != b'!');
    (blank && code).then_some(2)
}

/// Finds and loads included files.
pub(crate) struct Includer<'a> {
    options: &'a ReadOptions<'a>,
    stack: Vec<FileId>,
    count: usize,
    missing: BTreeSet<String>,
}

impl<'a> Includer<'a> {
    /// An includer for a run of [`super::read`].
    pub(crate) fn new(options: &'a ReadOptions<'a>) -> Self {
        Includer { options, stack: Vec::new(), count: 0, missing: BTreeSet::new() }
    }

    /// Enters the file that `name` means in a line of `from` at `span`; [`Includer::leave`] must follow.
    pub(crate) fn enter(
        &mut self,
        source: &mut SourceMap,
        name: &str,
        span: Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<FileId> {
        self.count += 1;
        if self.stack.len() >= INCLUDE_DEPTH || self.count > INCLUDE_COUNT {
            if self.missing.insert(format!("\0{name}")) {
                diagnostics.push(
                    Diagnostic::error(Code::Preprocessor, span, format!("includes of `{name}` nest too deeply"))
                        .reason("the file includes itself, directly or through another")
                        .help("guard it with `#ifndef`, or remove the include"),
                );
            }
            return None;
        }
        let found = self.find(source, name, span.file);
        match found {
            Some(file) => self.stack.push(file),
            None if self.missing.insert(name.to_string()) => diagnostics.push(missing(name, span)),
            None => {}
        }
        found
    }

    /// What stands for a library header that compilers find by themselves: the use of a module that declares the same.
    pub(crate) fn module_instead(&self, source: &SourceMap, name: &str, span: Span) -> Option<PhysicalLine> {
        let given = |path: &String| source.find(path).is_some() || (self.options.loader)(path).is_some();
        let module = match name.to_ascii_lowercase().as_str() {
            "omp_lib.h" => "omp_lib",
            "mpif.h" => "mpi",
            _ => return None,
        };
        if self.candidates(source, name, span.file).iter().any(given) {
            return None;
        }
        let segments = vec![Segment { offset: 0, span, verbatim: false }];
        let expanded = Some(Box::new(Expanded { text: format!("      use {module}"), segments }));
        Some(PhysicalLine { expanded, ..PhysicalLine::plain(span, true) })
    }

    /// Where an included file may be.
    fn candidates(&self, source: &SourceMap, name: &str, from: FileId) -> Vec<String> {
        let beside = match source.file(from).name.rfind(['/', '\\']) {
            Some(slash) => source.file(from).name.get(..=slash).unwrap_or("").to_string(),
            None => String::new(),
        };
        let absolute = name.starts_with('/');
        let mut candidates = vec![if absolute { name.to_string() } else { format!("{beside}{name}") }];
        if !absolute {
            candidates.extend(self.options.include_dirs.iter().map(|d| format!("{}/{name}", d.trim_end_matches('/'))));
        }
        candidates
    }

    /// Leaves the file entered last.
    pub(crate) fn leave(&mut self) {
        self.stack.pop();
    }

    fn find(&self, source: &mut SourceMap, name: &str, from: FileId) -> Option<FileId> {
        for path in self.candidates(source, name, from) {
            if let Some(id) = source.find(&path) {
                return Some(id);
            }
            if let Some(text) = (self.options.loader)(&path).filter(|t| t.len() < u32::MAX as usize) {
                return Some(source.add(SourceFile::new(path, text)));
            }
        }
        None
    }
}

/// Headers of libraries that compilers find by themselves: what they declare is only missed where it is used.
fn is_library_header(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    matches!(lower.as_str(), "mpif.h" | "netcdf.inc" | "pnetcdf.inc" | "omp_lib.h" | "openacc_lib.h" | "fftw3.f")
        || lower.starts_with("petsc/")
}

fn missing(name: &str, span: Span) -> Diagnostic {
    let d = Diagnostic::error(Code::IncludeNotFound, span, format!("the included file `{name}` isn't found"))
        .help("name its folder with `-I DIR`");
    if is_library_header(name) {
        d.severity(Severity::Warning).reason("names that this library header declares are unknown here")
    } else {
        d.reason("its declarations may change what the statements mean")
    }
}

/// The lines of a file that isn't preprocessed, `include` lines replaced by the files they name.
pub(crate) fn plain(
    source: &mut SourceMap,
    file: FileId,
    includer: &mut Includer<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<PhysicalLine> {
    let mut out = Vec::new();
    plain_into(source, file, false, includer, diagnostics, &mut out);
    out
}

/// As [`plain`], appended to `out`; lines of included files are `derived`.
pub(crate) fn plain_into(
    source: &mut SourceMap,
    file: FileId,
    derived: bool,
    includer: &mut Includer<'_>,
    diagnostics: &mut Vec<Diagnostic>,
    out: &mut Vec<PhysicalLine>,
) {
    for span in split(source, file) {
        let text = source.text(span);
        match text.bytes().find(|&b| !is_blank(b)) {
            Some(b'#') if text.starts_with('#') => {
                out.push(PhysicalLine::preprocessor(span));
                // The first one of a file says it all.
                let found = unread_cpp_line(text, span);
                let again = |d: &Diagnostic| {
                    let file = |d: &Diagnostic| d.span.map(|s| s.file);
                    diagnostics.iter().any(|known| known.message == d.message && file(known) == file(d))
                };
                let first = found.filter(|d| !again(d));
                diagnostics.extend(first);
            }
            Some(b'i' | b'I' | b'!') if included(text).is_some() => {
                out.push(PhysicalLine::preprocessor(span));
                let (name, conditional) = included(text).unwrap_or_default();
                let name = name.to_string();
                if let Some(line) = includer.module_instead(source, &name, span) {
                    out.push(PhysicalLine { conditional, ..line });
                } else if let Some(inner) = includer.enter(source, &name, span, diagnostics) {
                    include(source, inner, conditional, includer, diagnostics, out);
                    includer.leave();
                }
            }
            _ => out.push(PhysicalLine::plain(span, derived)),
        }
    }
}

/// The lines of an included file, appended to `out`.
pub(crate) fn include(
    source: &mut SourceMap,
    file: FileId,
    conditional: bool,
    includer: &mut Includer<'_>,
    diagnostics: &mut Vec<Diagnostic>,
    out: &mut Vec<PhysicalLine>,
) {
    let first = out.len();
    plain_into(source, file, true, includer, diagnostics, out);
    out[first..].iter_mut().for_each(|l| l.conditional |= conditional);
}

/// A `#` line in a file that isn't preprocessed is an error, unless it is a line marker left by an earlier preprocessor.
fn unread_cpp_line(text: &str, span: Span) -> Option<Diagnostic> {
    let rest = text.get(1..).unwrap_or("").trim_start();
    if rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with("line ") {
        return None;
    }
    Some(
        Diagnostic::error(Code::Preprocessor, span, "a preprocessor line in a file that isn't preprocessed")
            .reason("files with small-letter suffixes are read as they are")
            .help("give `--cpp`, or name the file with a capital suffix such as `.F90`"),
    )
}
