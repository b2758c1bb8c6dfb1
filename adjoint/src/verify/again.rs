//! Checks of parts of what was checked.

use costate_analysis::request::Head;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::form::ReadFile;
use costate_grammar::ir::Program;
use costate_grammar::source::SourceMap;

use super::report::{HeadReport, Report};
use super::variant::{Flags, Variant};
use super::{CheckOptions, Generated, check_generated, generate};
use crate::differentiated::OutputFile;
use crate::mode::Layout;
use crate::options::Options;
use crate::progress;

/// What was checked, to be checked again in parts.
pub(super) struct Again<'a> {
    /// The program.
    pub(super) program: &'a Program,
    /// The user's text.
    pub(super) sources: &'a SourceMap,
    /// The files that were read.
    pub(super) files: &'a [ReadFile],
    /// With what a part is checked.
    pub(super) options: CheckOptions,
}

impl<'a> Again<'a> {
    /// With what a part is checked: without what would start a search again.
    pub(super) fn new(
        program: &'a Program,
        (sources, files): (&'a SourceMap, &'a [ReadFile]),
        options: &CheckOptions,
    ) -> Again<'a> {
        let options = CheckOptions {
            keep: None,
            time_limit: options.time_limit.min(20),
            search: false,
            against: Vec::new(),
            ..options.clone()
        };
        Again { program, sources, files, options }
    }

    /// The same, compiled in one variant only: the one that is given, or else optimised.
    pub(super) fn with_one_variant(mut self) -> Again<'a> {
        self.options.variants.truncate(1);
        if self.options.variants.is_empty() {
            let flags = Variant::Optimised.flags(&self.options.fc);
            self.options.variants.push(Flags { variant: Variant::Optimised, flags });
        }
        self
    }

    /// Whether the derivatives of a head are wrong in a program with other texts of its files.
    pub(super) fn fails(&self, program: &Program, head: &Head, edited: Vec<OutputFile>) -> bool {
        progress::stage("looking for the statement where the difference starts");
        let heads = std::slice::from_ref(head);
        let generate_options = Options { layout: Layout::Separate, ..self.options.generate.clone() };
        let options = CheckOptions { generate: generate_options, ..self.options.clone() };
        let Ok(made) = generate(program, self.sources, self.files, heads, &options) else { return false };
        let made = Generated { edited, ..made };
        fails(check_generated(program, self.sources, self.files, heads, &made, &options), 0)
    }
}

/// Whether a head, by its number, is wrong.
pub(super) fn fails(result: Result<Report, Vec<Diagnostic>>, index: usize) -> bool {
    match result {
        Ok(report) => report.heads.get(index).is_some_and(HeadReport::is_wrong),
        Err(list) => list.iter().any(|d| d.code == Code::CheckFailed),
    }
}
