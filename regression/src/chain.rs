//! The whole chain as the command runs it, from Fortran text to generated text.

use std::path::{Path, PathBuf};

use costate_adjoint::pipeline::{self, Differentiated, Mode, Options};
use costate_adjoint::plan::Trade;
use costate_analysis::request::{Head, parse_heads, resolve};
use costate_grammar::diag::{Diagnostic, Severity};
use costate_grammar::form::{ReadFile, ReadOptions, read};
use costate_grammar::ir::Program;
use costate_grammar::source::SourceMap;

/// Sources that were read and lowered.
pub struct Loaded {
    /// The texts.
    pub sources: SourceMap,
    /// The files in order.
    pub files: Vec<ReadFile>,
    /// The program.
    pub program: Program,
}

/// The folder of the cases.
pub fn cases_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

/// Files and the program they make, or what is wrong with them.
pub type Read = Result<(Vec<ReadFile>, Program), Vec<Diagnostic>>;

/// Reads and lowers texts given as (name, text). Included files are looked for on disk.
///
/// The sources come back in any case: diagnostics point into them.
pub fn load(texts: &[(String, String)]) -> (SourceMap, Read) {
    let loader = |path: &str| std::fs::read_to_string(path).ok();
    let include_dirs = vec![cases_folder().display().to_string()];
    let options = ReadOptions { include_dirs, loader: &loader, ..ReadOptions::default() };
    let mut sources = SourceMap::default();
    let files: Vec<ReadFile> =
        texts.iter().map(|(name, text)| read(&mut sources, name, text.clone(), &options)).collect();
    let errors: Vec<Diagnostic> =
        files.iter().flat_map(|f| f.diagnostics.iter()).filter(|d| d.severity == Severity::Error).cloned().collect();
    if !errors.is_empty() {
        return (sources, Err(errors));
    }
    let program = pipeline::load(&mut sources, &files, &crate::checked());
    let result = program.map(|p| (files, p));
    (sources, result)
}

/// The same for one text that must be read without errors.
pub fn loaded(name: &str, text: &str) -> Result<Loaded, (SourceMap, Vec<Diagnostic>)> {
    let (sources, result) = load(&[(name.to_string(), text.to_string())]);
    match result {
        Ok((files, program)) => Ok(Loaded { sources, files, program }),
        Err(d) => Err((sources, d)),
    }
}

/// The heads that a text names.
pub fn heads(program: &Program, text: &str) -> Result<Vec<Head>, Vec<Diagnostic>> {
    let parsed = parse_heads(text).map_err(|d| vec![d])?;
    let mut heads = Vec::new();
    for t in &parsed {
        heads.push(resolve(program, t)?);
    }
    Ok(heads)
}

impl Loaded {
    /// Generates code in one mode.
    pub fn differentiate(&self, heads: &[Head], mode: Mode) -> Result<Differentiated, Vec<Diagnostic>> {
        self.differentiate_with(heads, mode, &crate::checked())
    }

    /// The plans for a number of memory budgets.
    pub fn trades(&self, heads: &[Head], options: &Options, count: usize) -> Result<Vec<Trade>, Vec<Diagnostic>> {
        pipeline::trades(&self.program, &self.sources, &self.files, heads, options, count)
    }

    /// The same with options.
    pub fn differentiate_with(
        &self,
        heads: &[Head],
        mode: Mode,
        options: &Options,
    ) -> Result<Differentiated, Vec<Diagnostic>> {
        let mut program = self.program.clone();
        pipeline::differentiate(&mut program, &self.sources, &self.files, heads, mode, options)
    }
}

/// A diagnostic as `CODE at line: message`, for messages of tests.
pub fn describe(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let line = |d: &Diagnostic| d.span.map_or_else(|| "-".to_string(), |s| sources.locate(s));
    diagnostics
        .iter()
        .map(|d| format!("{} at {}: {} ({})", d.code.as_str(), line(d), d.message, d.reason.as_deref().unwrap_or("")))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The line a diagnostic points to; 0 where it has no place.
pub fn line_of(sources: &SourceMap, d: &Diagnostic) -> usize {
    d.span.map_or(0, |s| sources.file(s.file).line_col(s.start).0)
}
