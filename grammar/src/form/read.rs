//! The entry point that reads a file.

use super::options::{Form, MacroFact, ReadOptions, preprocessed_by_suffix};
use super::{fixed, free, physical};
use crate::cpp;
use crate::diag::{Code, Diagnostic};
use crate::directives::declared;
use crate::lines::FileLines;
use crate::source::{FileId, SourceFile, SourceMap};
use crate::units::{self, UnitTree};

/// A file, read.
#[derive(Clone, Debug)]
pub struct ReadFile {
    /// Its handle.
    pub file: FileId,
    /// Its statements and side table.
    pub lines: FileLines,
    /// Its program units.
    pub units: Vec<UnitTree>,
    /// What was wrong with it, in source order of each stage.
    pub diagnostics: Vec<Diagnostic>,
    /// The macros that its text depends on, those of included files too, without those that it defines itself.
    pub macros: Vec<MacroFact>,
}

/// Reads a file: preprocessing, source form, program units.
pub fn read(source: &mut SourceMap, path: &str, text: String, opts: &ReadOptions<'_>) -> ReadFile {
    let too_long = text.len() >= u32::MAX as usize;
    let file = source.add(SourceFile::new(path, if too_long { String::new() } else { text }));
    let mut out = ReadFile {
        file,
        lines: FileLines { file, ..FileLines::default() },
        units: Vec::new(),
        diagnostics: Vec::new(),
        macros: Vec::new(),
    };
    if too_long {
        out.diagnostics.push(Diagnostic::global(Code::FileUnreadable, format!("`{path}` is larger than 4 GiB")));
        return out;
    }
    let form = opts.form.unwrap_or_else(|| Form::by_suffix(path));
    source.set_form(file, form);
    let mut includer = physical::Includer::new(opts);
    let physical = if opts.cpp.unwrap_or_else(|| preprocessed_by_suffix(path)) {
        let (lines, macros) = cpp::preprocess(source, file, form, opts, &mut includer, &mut out.diagnostics);
        out.macros = macros;
        lines
    } else {
        physical::plain(source, file, &mut includer, &mut out.diagnostics)
    };
    let physical = match form {
        Form::Free => physical,
        Form::Fixed => fixed::to_free(source, &physical, opts.fixed, &mut out.diagnostics),
    };
    let (lines, diagnostics) = free::build(source, file, &physical);
    out.diagnostics.extend(diagnostics);
    let (units, diagnostics) = units::split(&lines);
    out.diagnostics.extend(diagnostics);
    out.lines = lines;
    out.units = units;
    declared::settle(&mut out.lines, &out.units);
    out
}
