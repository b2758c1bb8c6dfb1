//! From texts to a program in one call.

use crate::diag::Diagnostic;
use crate::form::{self, ReadOptions};
use crate::ir::Program;
use crate::lower::{FileInput, lower};
use crate::source::SourceMap;

/// Reads and lowers files, each a path and its text. The diagnostics are those of reading and of the program as a whole;
/// what concerns one unit is among its `problems`.
pub fn parse_program(
    sources: &mut SourceMap,
    inputs: impl IntoIterator<Item = (String, String)>,
    opts: &ReadOptions<'_>,
) -> (Program, Vec<Diagnostic>) {
    let (files, mut diagnostics) = read_all(sources, inputs, opts);
    let (program, more) = lower(sources, &files);
    diagnostics.extend(more);
    (program, diagnostics)
}

/// Reads files, each a path and its text, for [`lower`].
pub fn read_all(
    sources: &mut SourceMap,
    inputs: impl IntoIterator<Item = (String, String)>,
    opts: &ReadOptions<'_>,
) -> (Vec<FileInput>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut files = Vec::new();
    for (path, text) in inputs {
        let mut read = form::read(sources, &path, text, opts);
        diagnostics.append(&mut read.diagnostics);
        files.push(FileInput::from(read));
    }
    (files, diagnostics)
}
