//! Messages to the user: diagnostics as text, JSON lines or SARIF, and short notes on what was done.

use std::io::{IsTerminal, Write};

use costate_grammar::diag::{Diagnostic, Severity};
use costate_grammar::source::{SourceMap, Span};
use serde_json::{Value, json};

use crate::cli::{ColorArg, MessageArgs, MessageFormat};

/// Where messages go: text to standard error, JSON and SARIF to standard output.
pub(crate) struct Messages {
    args: MessageArgs,
    /// Results of a SARIF run, written at its end.
    results: Vec<Value>,
}

impl Messages {
    pub(crate) fn new(args: MessageArgs) -> Messages {
        Messages { args, results: Vec::new() }
    }

    /// Takes over the message options of the configuration file.
    pub(crate) fn configure(&mut self, args: &MessageArgs) {
        self.args = args.clone();
    }

    /// The format in use.
    pub(crate) fn format(&self) -> MessageFormat {
        self.args.message_format.unwrap_or_default()
    }


    fn wanted(&self, d: &Diagnostic) -> bool {
        match d.severity {
            Severity::Error => true,
            Severity::Warning => !self.args.quiet,
            Severity::Note => self.args.verbose,
        }
    }

    /// Gives diagnostics to the user.
    pub(crate) fn emit(&mut self, sources: &SourceMap, diagnostics: &[Diagnostic]) {
        for d in diagnostics {
            if !self.wanted(d) {
                continue;
            }
            match self.format() {
                MessageFormat::Human => eprint!("{}", human(sources, d, self.colors())),
                MessageFormat::Json => line(&as_json(sources, d)),
                MessageFormat::Sarif => self.results.push(as_sarif(sources, d)),
            }
        }
    }

    /// A line on what was done, for `-v`.
    pub(crate) fn note(&self, text: &str) {
        if self.args.verbose && self.format() == MessageFormat::Human {
            eprintln!("{text}");
        }
    }

    /// A line that the user should see unless `-q` is given.
    pub(crate) fn say(&self, text: &str) {
        if !self.args.quiet && self.format() == MessageFormat::Human {
            eprintln!("{text}");
        }
    }

    /// A result on standard output.
    pub(crate) fn print(&self, text: &str) {
        let _ = std::io::stdout().write_all(text.as_bytes());
    }

    /// Writes what is kept to the end.
    pub(crate) fn finish(&mut self, _sources: &SourceMap) {
        if self.format() == MessageFormat::Sarif {
            let results = std::mem::take(&mut self.results);
            let document = json!({
                "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
                "version": "2.1.0",
                "runs": [{
                    "tool": { "driver": { "name": "costate", "version": env!("CARGO_PKG_VERSION"), "rules": [] } },
                    "results": results,
                }],
            });
            line(&document);
        }
    }

    fn colors(&self) -> bool {
        match self.args.color.unwrap_or_default() {
            ColorArg::Always => true,
            ColorArg::Never => false,
            ColorArg::Auto => std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        }
    }
}

fn line(value: &Value) {
    let mut out = std::io::stdout();
    let _ = writeln!(out, "{value}");
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn human(sources: &SourceMap, d: &Diagnostic, colors: bool) -> String {
    let paint = |code: &str, text: &str| if colors { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() };
    let hue = match d.severity {
        Severity::Error => "1;31",
        Severity::Warning => "1;33",
        Severity::Note => "1;36",
    };
    let mut out = format!("{}: {}\n", paint(hue, &format!("{}[{}]", word(d.severity), d.code.as_str())), paint("1", &d.message));
    if let Some(span) = d.span {
        out.push_str(&excerpt(sources, span));
    }
    for (span, text) in &d.labels {
        out.push_str(&format!("  {}: {text}\n", sources.locate(*span)));
    }
    if let Some(reason) = &d.reason {
        out.push_str(&format!("  = because {reason}\n"));
    }
    if let Some(help) = &d.help {
        out.push_str(&format!("  = help: {help}\n"));
    }
    out
}

fn excerpt(sources: &SourceMap, span: Span) -> String {
    let file = sources.file(span.file);
    let (row, column) = file.line_col(span.start);
    let start = file.line_start(row) as usize;
    let text = file.text[start..].lines().next().unwrap_or("");
    let width = (span.end.saturating_sub(span.start) as usize).clamp(1, text.len().saturating_sub(column - 1).max(1));
    let number = row.to_string();
    let gap = " ".repeat(number.len());
    let lead: String = text.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    format!("{gap}--> {}:{row}:{column}\n{gap} |\n{number} | {text}\n{gap} | {lead}{}\n", file.name, "^".repeat(width))
}

fn place(sources: &SourceMap, span: Span) -> Value {
    let file = sources.file(span.file);
    let ((line, column), (end_line, end_column)) = (file.line_col(span.start), file.line_col(span.end));
    json!({ "file": file.name, "line": line, "column": column, "end_line": end_line, "end_column": end_column })
}

fn as_json(sources: &SourceMap, d: &Diagnostic) -> Value {
    json!({
        "severity": word(d.severity),
        "code": d.code.as_str(),
        "title": d.code.title(),
        "message": d.message,
        "span": d.span.map(|s| place(sources, s)),
        "labels": d.labels.iter().map(|(s, t)| json!({ "span": place(sources, *s), "text": t })).collect::<Vec<_>>(),
        "reason": d.reason,
        "help": d.help,
    })
}

fn as_sarif(sources: &SourceMap, d: &Diagnostic) -> Value {
    let mut text = d.message.clone();
    for more in d.reason.iter().chain(&d.help) {
        text.push_str("; ");
        text.push_str(more);
    }
    let locations: Vec<Value> = d.span.iter().map(|s| {
        let p = place(sources, *s);
        json!({ "physicalLocation": {
            "artifactLocation": { "uri": p["file"] },
            "region": { "startLine": p["line"], "startColumn": p["column"], "endLine": p["end_line"], "endColumn": p["end_column"] },
        } })
    }).collect();
    json!({ "ruleId": d.code.as_str(), "level": word(d.severity), "message": { "text": text }, "locations": locations })
}
