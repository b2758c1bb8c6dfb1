//! Messages to the user: diagnostics as text, JSON lines or SARIF, and short notes on what was done.

use std::io::{IsTerminal, Write};

use costate_grammar::diag::render::{self, Color};
use costate_grammar::diag::{Diagnostic, Severity};
use costate_grammar::source::SourceMap;

use crate::cli::{ColorArg, MessageArgs, MessageFormat};
use crate::ticker::Ticker;

/// Where messages go: text to standard error, JSON and SARIF to standard output.
pub(crate) struct Messages {
    args: MessageArgs,
    /// Diagnostics of a SARIF log, which is written at the end.
    kept: Vec<Diagnostic>,
    /// Errors that were given.
    errors: usize,
    /// What a long run says on a terminal.
    ticker: Ticker,
}

/// Writes to standard error. A reader that has gone away (`costate ... 2>&1 | head`) is no reason to fail.
fn tell(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

impl Messages {
    pub(crate) fn new(args: MessageArgs) -> Messages {
        let quiet = args.quiet || args.message_format.unwrap_or_default() != MessageFormat::Human;
        let ticker = if quiet { Ticker::default() } else { Ticker::start() };
        Messages { args, kept: Vec::new(), errors: 0, ticker }
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
        self.ticker.clear();
        let wanted: Vec<Diagnostic> = diagnostics.iter().filter(|d| self.wanted(d)).cloned().collect();
        self.errors += wanted.iter().filter(|d| d.severity == Severity::Error).count();
        match self.format() {
            MessageFormat::Human => tell(&render::human(&wanted, sources, self.colors())),
            MessageFormat::Json => self.print(&render::json_lines(&wanted, sources)),
            MessageFormat::Sarif => self.kept.extend(wanted),
        }
    }

    /// Whether more is wanted than usual.
    pub(crate) fn verbose(&self) -> bool {
        self.args.verbose
    }

    /// A line on what was done, for `-v`.
    pub(crate) fn note(&self, text: &str) {
        if self.args.verbose && self.format() == MessageFormat::Human {
            self.ticker.clear();
            tell(&format!("{text}\n"));
        }
    }

    /// A result on standard output.
    pub(crate) fn print(&self, text: &str) {
        self.ticker.clear();
        // A reader that has gone away is no reason to fail.
        let _ = std::io::stdout().write_all(text.as_bytes());
    }

    /// Writes what is kept to the end, and how many errors there were.
    pub(crate) fn finish(&mut self, sources: &SourceMap) {
        self.ticker.stop();
        if self.format() == MessageFormat::Human && self.errors > 0 {
            tell(&format!("{} error{}\n", self.errors, if self.errors == 1 { "" } else { "s" }));
        }
        if self.format() == MessageFormat::Sarif {
            self.print(&render::sarif(&self.kept, sources));
        }
    }

    fn colors(&self) -> bool {
        let color = match self.args.color.unwrap_or_default() {
            ColorArg::Auto => Color::Auto,
            ColorArg::Always => Color::Always,
            ColorArg::Never => Color::Never,
        };
        color.enabled(std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none())
    }
}
