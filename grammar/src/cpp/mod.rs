//! Traditional preprocessing with a position map.

use crate::diag::Diagnostic;
use crate::form::ReadOptions;
use crate::form::physical::{self, Includer, PhysicalLine};
use crate::source::{FileId, SourceMap};

/// The lines of a file after preprocessing.
pub(crate) fn preprocess(
    source: &mut SourceMap,
    file: FileId,
    _options: &ReadOptions<'_>,
    includer: &mut Includer<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<PhysicalLine> {
    physical::plain(source, file, includer, diagnostics)
}
