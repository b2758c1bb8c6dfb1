//! Source form: physical lines to one statement a line, and the entry point that reads a file.

pub mod free;
pub mod physical;

use crate::cpp;
use crate::diag::{Code, Diagnostic};
use crate::lines::FileLines;
use crate::source::{FileId, SourceFile, SourceMap, Span};
use crate::units::{self, UnitTree};

/// The two source forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Free form: `&` continues, `!` comments.
    Free,
    /// Fixed form: columns 1 to 6 are special.
    Fixed,
}

impl Form {
    /// The form that a file's suffix stands for; free form where the suffix says nothing.
    pub fn by_suffix(path: &str) -> Form {
        match suffix(path).to_ascii_lowercase().as_str() {
            "f" | "for" | "ftn" | "f77" | "fpp" => Form::Fixed,
            _ => Form::Free,
        }
    }
}

/// True when the suffix says that the file is to be preprocessed: a capital letter, as compilers have it.
pub fn preprocessed_by_suffix(path: &str) -> bool {
    let s = suffix(path);
    s.starts_with('F') || s == "fpp"
}

fn suffix(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, s)| s)
}

/// How to read a file.
pub struct ReadOptions<'a> {
    /// `-D name[=value]`; without a value a name stands for 1.
    pub defines: Vec<(String, Option<String>)>,
    /// `-U name`, after all `defines`.
    pub undefines: Vec<String>,
    /// `-I`: folders searched for included files after the including file's own.
    pub include_dirs: Vec<String>,
    /// Source form; by suffix when not given.
    pub form: Option<Form>,
    /// Preprocess or not; by suffix when not given.
    pub cpp: Option<bool>,
    /// Loads an included file's text by path, `None` where there is no such file.
    pub loader: &'a dyn Fn(&str) -> Option<String>,
}

impl Default for ReadOptions<'_> {
    fn default() -> Self {
        ReadOptions {
            defines: Vec::new(),
            undefines: Vec::new(),
            include_dirs: Vec::new(),
            form: None,
            cpp: None,
            loader: &load_nothing,
        }
    }
}

fn load_nothing(_: &str) -> Option<String> {
    None
}

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

/// What a file was read under: a macro that it tests or expands, as the command line has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MacroFact {
    /// The macro.
    pub name: String,
    /// Whether it is defined.
    pub defined: bool,
    /// Its value, where the command line gives one.
    pub value: Option<String>,
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
    if opts.form.unwrap_or_else(|| Form::by_suffix(path)) == Form::Fixed {
        out.diagnostics.push(
            Diagnostic::error(Code::FormNotSupported, Span::new(file, 0, 0), format!("`{path}` is in fixed form"))
                .reason("fixed form isn't read yet")
                .help("give `--form free` if the file is in free form, or convert it to free form"),
        );
        return out;
    }
    let mut includer = physical::Includer::new(opts);
    let physical = if opts.cpp.unwrap_or_else(|| preprocessed_by_suffix(path)) {
        let (lines, macros) = cpp::preprocess(source, file, opts, &mut includer, &mut out.diagnostics);
        out.macros = macros;
        lines
    } else {
        physical::plain(source, file, &mut includer, &mut out.diagnostics)
    };
    let (lines, diagnostics) = free::build(source, file, &physical);
    out.diagnostics.extend(diagnostics);
    let (units, diagnostics) = units::split(&lines);
    out.diagnostics.extend(diagnostics);
    out.lines = lines;
    out.units = units;
    out
}
