//! The user's tables of procedures without source.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use costate_analysis::externals::{Externals, TableError};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::source::{SourceFile, Span};

use crate::Session;
use crate::cli::SourceArgs;
use crate::config;

/// Costate's own tables with those of the user's.
pub(crate) fn read(session: &mut Session, args: &SourceArgs) -> Result<Externals, Box<Diagnostic>> {
    let mut all = Externals::default();
    let beside = args.files.first().and_then(|f| f.parent()).unwrap_or(Path::new("")).join("externals.toml");
    let asked = !args.externals.is_empty();
    let paths: &[PathBuf] = if asked { &args.externals } else { std::slice::from_ref(&beside) };
    for path in paths {
        let shown = path.display().to_string();
        let text = match config::text(path) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound && !asked => continue,
            Err(e) => {
                let d = Diagnostic::global(Code::Configuration, format!("`{shown}` can't be read: {e}"))
                    .help("name a table of procedures without source");
                return Err(Box::new(d));
            }
        };
        // What is read is in the list of files, too.
        let file = session.sources.add(SourceFile::new(shown.clone(), text.clone()));
        match Externals::parse(&text) {
            Ok(more) => all.add(more, &shown, &text),
            Err(TableError { message, place }) => {
                let span = Span::new(file, place.start as u32, place.end as u32);
                let d = Diagnostic::error(Code::Configuration, span, message).help(
                    "a row is `[[procedure]]` with `declaration`, `tangent`, `adjoint` and what else README.md names",
                );
                return Err(Box::new(d));
            }
        }
    }
    Ok(all)
}
