//! How a file is read, and what that depends on.

/// The two source forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// Free form: `&` continues, `!` comments.
    #[default]
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

/// How compilers are told to read fixed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedLayout {
    /// The last column of a statement; no column is the last one where not given.
    pub width: Option<usize>,
    /// The user has said what the last column is.
    pub width_given: bool,
    /// Lines with `d` in column 1 are code, or comments; refused where not given.
    pub debugging: Option<bool>,
}

impl Default for FixedLayout {
    fn default() -> Self {
        FixedLayout { width: Some(72), width_given: false, debugging: None }
    }
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
    /// How fixed form is read.
    pub fixed: FixedLayout,
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
            fixed: FixedLayout::default(),
            cpp: None,
            loader: &load_nothing,
        }
    }
}

fn load_nothing(_: &str) -> Option<String> {
    None
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
