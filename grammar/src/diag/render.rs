//! Diagnostics as text, JSON and SARIF. The only user of codespan-reporting.

use std::collections::BTreeSet;
use std::ops::Range;

use codespan_reporting::diagnostic as csd;
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term::{self, termcolor};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Diagnostic, Severity};
use crate::source::{FileId, SourceMap, Span};

/// The formats of `--message-format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people: the lines in question with carets.
    #[default]
    Human,
    /// One JSON object a line.
    Json,
    /// One SARIF 2.1.0 log.
    Sarif,
}

/// The choices of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// When the output is a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Colours or not, given whether the output is a terminal.
    pub fn enabled(self, terminal: bool) -> bool {
        match self {
            Color::Auto => terminal,
            Color::Always => true,
            Color::Never => false,
        }
    }
}

/// Renders diagnostics in a format; `color` only matters for [`Format::Human`].
pub fn render(diagnostics: &[Diagnostic], source: &SourceMap, format: Format, color: bool) -> String {
    match format {
        Format::Human => human(diagnostics, source, color),
        Format::Json => json_lines(diagnostics, source),
        Format::Sarif => sarif(diagnostics, source),
    }
}

/// For people.
pub fn human(diagnostics: &[Diagnostic], source: &SourceMap, color: bool) -> String {
    let config = term::Config { chars: term::Chars::ascii(), ..term::Config::default() };
    let files = Map(source);
    let mut out = String::new();
    for diagnostic in diagnostics {
        let shown = to_codespan(diagnostic, source);
        let mut buffer = Vec::new();
        let written = if color {
            term::emit_to_write_style(&mut termcolor::Ansi::new(&mut buffer), &config, &files, &shown)
        } else {
            term::emit_to_io_write(&mut buffer, &config, &files, &shown)
        };
        if written.is_ok() {
            String::from_utf8_lossy(&buffer).lines().for_each(|l| push_line(&mut out, l, color));
        } else {
            // A message without its source lines is better than none.
            let at = diagnostic.span.map(|s| source.locate(s) + ": ").unwrap_or_default();
            out.push_str(&format!("{at}{} [{}]\n", diagnostic.message, diagnostic.code.as_str()));
        }
    }
    out
}

/// Characters of a source line that a message shows. Lines of generated or joined code may have ten thousand.
const SHOWN: usize = 240;

/// Adds a line of a message; source lines, which stand behind a number and a bar, are cut.
fn push_line(out: &mut String, line: &str, color: bool) {
    let margin = |c: char| c.is_ascii_digit() || " \u{1b}[;m".contains(c);
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) if line.trim_start_matches(margin).starts_with('|') => {
            out.push_str(&line[..end]);
            out.push_str(if color { "\u{1b}[0m ..." } else { " ..." });
        }
        Some(_) | None => out.push_str(line),
    }
    out.push('\n');
}

/// One JSON object a line: severity, code, title, message, place, reason, help, labels. Lines and columns count from 1,
/// columns in characters; the end column is one past the last character.
pub fn json_lines(diagnostics: &[Diagnostic], source: &SourceMap) -> String {
    let mut out = String::new();
    for d in diagnostics {
        let record = Record {
            severity: severity_name(d.severity),
            code: d.code.as_str(),
            title: d.code.title(),
            message: &d.message,
            place: d.span.map(|s| Place::of(s, source)),
            reason: d.reason.as_deref(),
            help: d.help.as_deref(),
            labels: d.labels.iter().map(|(s, text)| Labelled { text, place: Place::of(*s, source) }).collect(),
        };
        if let Ok(line) = serde_json::to_string(&record) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    out
}

/// A SARIF 2.1.0 log with one run.
pub fn sarif(diagnostics: &[Diagnostic], source: &SourceMap) -> String {
    let codes: BTreeSet<_> = diagnostics.iter().map(|d| d.code).collect();
    let rules: Vec<Value> =
        codes.iter().map(|c| json!({ "id": c.as_str(), "shortDescription": { "text": c.title() } })).collect();
    let results: Vec<Value> = diagnostics.iter().map(|d| sarif_result(d, source)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "Costate", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    let mut out = serde_json::to_string_pretty(&log).unwrap_or_default();
    out.push('\n');
    out
}

fn sarif_result(d: &Diagnostic, source: &SourceMap) -> Value {
    let mut text = d.message.clone();
    for (lead, more) in [("Reason", &d.reason), ("Help", &d.help)] {
        if let Some(more) = more {
            text.push_str(&format!("\n{lead}: {more}"));
        }
    }
    let mut result = json!({
        "ruleId": d.code.as_str(),
        "level": severity_name(d.severity),
        "message": { "text": text },
        "locations": d.span.iter().map(|s| sarif_location(*s, source)).collect::<Vec<_>>(),
    });
    if !d.labels.is_empty() {
        let related: Vec<Value> = d
            .labels
            .iter()
            .map(|(span, words)| {
                let mut location = sarif_location(*span, source);
                location["message"] = json!({ "text": words });
                location
            })
            .collect();
        result["relatedLocations"] = json!(related);
    }
    result
}

fn sarif_location(span: Span, source: &SourceMap) -> Value {
    let place = Place::of(span, source);
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(place.file) },
        "region": { "startLine": place.line, "startColumn": place.column,
                    "endLine": place.end_line, "endColumn": place.end_column },
    } })
}

/// A path as a URI reference.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for b in path.bytes() {
        match b {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(b as char),
            b'\\' => out.push('/'),
            _ => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}

fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

#[derive(Serialize)]
struct Record<'a> {
    severity: &'static str,
    code: &'static str,
    title: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: Option<Place<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<Labelled<'a>>,
}

#[derive(Serialize)]
struct Labelled<'a> {
    text: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

impl<'a> Place<'a> {
    fn of(span: Span, source: &'a SourceMap) -> Self {
        let range = clamp(span, source);
        let file = source.file(span.file);
        let at = |offset: usize| {
            let (line, col) = file.line_col(offset as u32);
            let start = file.line_start(line) as usize;
            let chars = file.text.get(start..offset).map_or(col, |t| t.chars().count() + 1);
            (line, chars)
        };
        let (line, column) = at(range.start);
        let (end_line, end_column) = at(range.end);
        Place { file: &file.name, line, column, end_line, end_column }
    }
}

/// A span as a range that surely lies in the file, on character boundaries.
fn clamp(span: Span, source: &SourceMap) -> Range<usize> {
    let text = &source.file(span.file).text;
    let start = text.floor_char_boundary((span.start as usize).min(text.len()));
    let end = text.ceil_char_boundary((span.end as usize).min(text.len()));
    start..end.max(start)
}

fn to_codespan(d: &Diagnostic, source: &SourceMap) -> csd::Diagnostic<FileId> {
    let severity = match d.severity {
        Severity::Note => csd::Severity::Note,
        Severity::Warning => csd::Severity::Warning,
        Severity::Error => csd::Severity::Error,
    };
    let mut labels: Vec<csd::Label<FileId>> =
        d.span.iter().map(|s| csd::Label::primary(s.file, clamp(*s, source))).collect();
    labels.extend(d.labels.iter().map(|(s, text)| csd::Label::secondary(s.file, clamp(*s, source)).with_message(text)));
    let reason = d.reason.iter().map(|r| format!("reason: {r}"));
    let notes = reason.chain(d.help.iter().map(|h| format!("help: {h}"))).collect();
    csd::Diagnostic::new(severity)
        .with_code(d.code.as_str())
        .with_message(&d.message)
        .with_labels(labels)
        .with_notes(notes)
}

/// Our files, as codespan-reporting wants to see them.
struct Map<'a>(&'a SourceMap);

impl<'a> Files<'a> for Map<'_> {
    type FileId = FileId;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: FileId) -> Result<&'a str, Error> {
        Ok(&self.0.file(id).name)
    }

    fn source(&'a self, id: FileId) -> Result<&'a str, Error> {
        Ok(&self.0.file(id).text)
    }

    fn line_index(&'a self, id: FileId, byte: usize) -> Result<usize, Error> {
        Ok(self.0.file(id).line_col(byte as u32).0 - 1)
    }

    fn line_range(&'a self, id: FileId, line: usize) -> Result<Range<usize>, Error> {
        let file = self.0.file(id);
        if line >= file.line_count() {
            return Err(Error::LineTooLarge { given: line, max: file.line_count().saturating_sub(1) });
        }
        Ok(file.line_start(line + 1) as usize..file.line_start(line + 2) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Code;
    use crate::source::SourceFile;

    fn sample() -> (SourceMap, Vec<Diagnostic>) {
        let mut source = SourceMap::default();
        let file = source.add(SourceFile::new("a b.f90", "program p\n  é = x\nend\n"));
        let d = Diagnostic::error(Code::NameNotFound, Span::new(file, 17, 18), "`x` isn't declared")
            .reason("it has no type")
            .help("declare it")
            .label(Span::new(file, 0, 9), "in this program");
        (source, vec![d, Diagnostic::global(Code::HeadNotFound, "no head").severity(Severity::Warning)])
    }

    #[test]
    fn human_shows_line_reason_and_help() {
        let (source, ds) = sample();
        let text = human(&ds, &source, false);
        for part in [
            "error[C0202]: `x` isn't declared",
            "a b.f90:2:7",
            "reason: it has no type",
            "help: declare it",
            "warning[C0301]",
        ] {
            assert!(text.contains(part), "{part} not in\n{text}");
        }
        assert!(human(&ds, &source, true).contains("\u{1b}["));
    }

    #[test]
    fn human_cuts_long_source_lines_and_no_reasons() {
        let mut source = SourceMap::default();
        let file = source.add(SourceFile::new("a.f90", format!("y = {}x\n", "x + ".repeat(1000))));
        let reason = "a | ".repeat(100);
        let d = Diagnostic::error(Code::NameNotFound, Span::new(file, 0, 1), "no").reason(reason.trim());
        let text = human(&[d], &source, false);
        assert!(text.lines().any(|l| l.ends_with(" ...") && l.chars().count() == SHOWN + 4), "{text}");
        assert!(text.contains(reason.trim()));
    }

    #[test]
    fn json_has_places_in_characters() {
        let (source, ds) = sample();
        let lines: Vec<Value> =
            json_lines(&ds, &source).lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
        assert_eq!((lines[0]["line"].as_u64(), lines[0]["column"].as_u64()), (Some(2), Some(7)));
        assert_eq!(lines[0]["labels"][0]["end_column"], 10);
        assert_eq!(lines[1]["severity"], "warning");
        assert!(lines[1].get("file").is_none());
    }

    #[test]
    fn sarif_is_complete() {
        let (source, ds) = sample();
        let log: Value = serde_json::from_str(&sarif(&ds, &source)).expect("JSON");
        let result = &log["runs"][0]["results"][0];
        assert_eq!(result["ruleId"], "C0202");
        let at = &result["locations"][0]["physicalLocation"];
        assert_eq!(at["artifactLocation"]["uri"], "a%20b.f90");
        assert_eq!(at["region"]["startColumn"], 7);
    }

    #[test]
    fn spans_outside_the_file_do_no_harm() {
        let (source, _) = sample();
        let d = [Diagnostic::error(Code::Internal, Span::new(FileId(0), 13, 9999), "x")];
        for format in [Format::Human, Format::Json, Format::Sarif] {
            assert!(!render(&d, &source, format, true).is_empty());
        }
    }
}
