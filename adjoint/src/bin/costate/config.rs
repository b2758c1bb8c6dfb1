//! `costate.toml`, beside the sources: every option of the command line can stand in it, and the command line wins.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::source::{SourceFile, SourceMap, Span};
use serde::Deserialize;

use crate::cli::{
    BuildArg, CallsArg, CheckArgs, ColorArg, DLinesArg, FormArg, GenerateArgs, LayoutArg, LineLengthArg, MessageFormat,
    NamingArg, PlanArgs, ReportArgs, SourceArgs,
};

/// One string or a list of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Strings {
    One(String),
    Many(Vec<String>),
}

/// A value of `[size]` or `[value]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Value {
    Logical(bool),
    Integer(i64),
    Real(f64),
    Text(String),
    Extents(Vec<i64>),
}

impl Value {
    fn text(&self) -> String {
        match self {
            Value::Logical(true) => ".true.".to_string(),
            Value::Logical(false) => ".false.".to_string(),
            Value::Integer(i) => i.to_string(),
            Value::Real(r) => format!("{r:?}"),
            Value::Text(t) => t.clone(),
            Value::Extents(list) => list.iter().map(i64::to_string).collect::<Vec<_>>().join(","),
        }
    }
}

/// The file's content: the command line's options by their long names (`define`, `undefine` and `include` for `-D`, `-U`,
/// `-I`). Paths are relative to the file's folder.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Config {
    head: Option<Strings>,
    form: Option<FormArg>,
    fixed_line_length: Option<LineLengthArg>,
    d_lines: Option<DLinesArg>,
    cpp: Option<bool>,
    define: Option<Strings>,
    undefine: Option<Strings>,
    include: Option<Strings>,
    externals: Option<Strings>,
    message_format: Option<MessageFormat>,
    color: Option<ColorArg>,
    default_real: Option<u8>,
    quiet: bool,
    verbose: bool,
    naming: Option<NamingArg>,
    suffix_tangent: Option<String>,
    suffix_adjoint: Option<String>,
    layout: Option<LayoutArg>,
    keep_primal: Option<bool>,
    calls: Option<CallsArg>,
    allow_undo: Option<bool>,
    verify: Option<bool>,
    memory: Option<String>,
    disk: Option<String>,
    plan: Option<PathBuf>,
    output: Option<PathBuf>,
    out_dir: Option<PathBuf>,
    output_form: Option<FormArg>,
    depfile: Option<PathBuf>,
    check_only: Option<bool>,
    with_tangent: Option<bool>,
    force: bool,
    json: bool,
    pareto: Option<PathBuf>,
    fc: Option<String>,
    build: Option<BuildArg>,
    fflags: Option<String>,
    ldflags: Option<String>,
    #[serde(alias = "sizes")]
    size: BTreeMap<String, Value>,
    #[serde(alias = "values")]
    value: BTreeMap<String, Value>,
    setup: Option<Strings>,
    against: Option<Strings>,
    seed: Option<u64>,
    keep: Option<PathBuf>,
    time_limit: Option<u64>,
    threads: Option<std::num::NonZeroU16>,
    acc: Option<bool>,
    mpi: Option<u8>,
    mpirun: Option<String>,
    #[serde(skip)]
    folder: PathBuf,
}

/// The configuration file: beside the first source.
pub(crate) fn path(files: &[PathBuf]) -> PathBuf {
    files.first().and_then(|f| f.parent()).unwrap_or(Path::new("")).join("costate.toml")
}

/// A file's text. Old sources often hold Latin-1 comments. What isn't a file (a pipe, a device) may never come to an end.
pub(crate) fn text(path: &Path) -> std::io::Result<String> {
    let wrong = |why: &str| Err(std::io::Error::new(std::io::ErrorKind::InvalidData, why));
    let about = std::fs::metadata(path)?;
    if about.is_dir() {
        return wrong("it is a folder");
    }
    if !about.is_file() {
        return wrong("it is a pipe or a device, not a file");
    }
    if about.len() >= u64::from(u32::MAX) {
        return wrong("it is larger than 4 GiB");
    }
    let bytes = std::fs::read(path)?;
    if bytes.contains(&0) {
        return wrong("it isn't text");
    }
    Ok(String::from_utf8(bytes).unwrap_or_else(|e| e.into_bytes().iter().map(|&b| char::from(b)).collect()))
}

/// Reads the configuration file beside the first source; an absent file is an empty one.
pub(crate) fn load(sources: &mut SourceMap, files: &[PathBuf]) -> Result<Config, Box<Diagnostic>> {
    let path = path(files);
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let text = match text(&path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
        Err(e) => {
            let message = format!("`{}` can't be read: {e}", path.display());
            return Err(Box::new(
                Diagnostic::global(Code::Configuration, message).help("make it a file of options, or remove it"),
            ));
        }
    };
    match toml::from_str::<Config>(&text) {
        Ok(config) => Ok(Config { folder, ..config }),
        Err(e) => {
            let range = e.span().unwrap_or(0..0);
            let file = sources.add(SourceFile::new(path.display().to_string(), text));
            let span = Span::new(file, range.start as u32, range.end as u32);
            let message = e.message().replace('\n', " ");
            Err(Box::new(Diagnostic::error(Code::Configuration, span, message).help(
                "keys are the long options of `costate --help`, and `define`, `undefine`, `include` for -D, -U, -I",
            )))
        }
    }
}

/// The name in `name=value`, as Fortran sees it.
fn name_of(pair: &str) -> String {
    pair.split('=').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// `name=value` for each entry.
fn pairs(map: &BTreeMap<String, Value>) -> Vec<String> {
    map.iter().map(|(name, value)| format!("{name}={}", value.text())).collect()
}

impl Config {
    fn path(&self, path: &Option<PathBuf>) -> Option<PathBuf> {
        path.as_ref().map(|p| self.folder.join(p))
    }

    fn list(list: &Option<Strings>) -> Vec<String> {
        match list {
            None => Vec::new(),
            Some(Strings::One(s)) => vec![s.clone()],
            Some(Strings::Many(list)) => list.clone(),
        }
    }

    /// Fills in what the command line leaves open.
    pub(crate) fn complete_source(&self, args: &mut SourceArgs) {
        if args.head.is_empty() {
            args.head = Config::list(&self.head);
        }
        args.form = args.form.or(self.form);
        args.fixed_line_length = args.fixed_line_length.or(self.fixed_line_length);
        args.d_lines = args.d_lines.or(self.d_lines);
        args.cpp = args.cpp.or(self.cpp);
        args.default_real = args.default_real.or(self.default_real);
        // The file's definitions come first: a later definition of the same macro wins.
        let name = |definition: &str| definition.split('=').next().unwrap_or_default().to_string();
        let (defined, undefined) = (args.define.clone(), args.undefine.clone());
        let mut define = Config::list(&self.define);
        define.retain(|d| !undefined.contains(&name(d)));
        let mut undefine = Config::list(&self.undefine);
        undefine.retain(|u| !defined.iter().any(|d| name(d) == *u));
        args.define.splice(0..0, define);
        args.undefine.splice(0..0, undefine);
        args.include.extend(Config::list(&self.include).iter().map(|d| self.folder.join(d)));
        if args.externals.is_empty() {
            args.externals = Config::list(&self.externals).iter().map(|f| self.folder.join(f)).collect();
        }
        let message = &mut args.message;
        message.message_format = message.message_format.or(self.message_format);
        message.color = message.color.or(self.color);
        if !message.quiet && !message.verbose {
            (message.quiet, message.verbose) = (self.quiet, self.verbose);
        }
        let code = &mut args.code;
        let sized: Vec<String> = code.size.iter().map(|t| name_of(t)).collect();
        code.size.splice(0..0, pairs(&self.size).into_iter().filter(|p| !sized.contains(&name_of(p))));
        code.plan = code.plan.take().or(self.path(&self.plan));
        code.naming = code.naming.or(self.naming);
        code.layout = code.layout.or(self.layout);
        code.keep_primal = code.keep_primal.or(self.keep_primal);
        code.calls = code.calls.or(self.calls);
        code.allow_undo = code.allow_undo.or(self.allow_undo);
        code.verify = code.verify.or(self.verify);
        for (own, default) in [
            (&mut code.suffix_tangent, &self.suffix_tangent),
            (&mut code.suffix_adjoint, &self.suffix_adjoint),
            (&mut code.memory, &self.memory),
            (&mut code.disk, &self.disk),
        ] {
            if own.is_none() {
                own.clone_from(default);
            }
        }
    }

    /// The same for `tangent` and `adjoint`.
    pub(crate) fn complete_generate(&self, args: &mut GenerateArgs) {
        if args.output.is_none() && args.out_dir.is_none() {
            args.output = self.path(&self.output);
            if args.output.is_none() {
                args.out_dir = self.path(&self.out_dir);
            }
        }
        args.output_form = args.output_form.or(self.output_form);
        args.depfile = args.depfile.take().or(self.path(&self.depfile));
        args.check_only = args.check_only.or(self.check_only);
        args.with_tangent = args.with_tangent.or(self.with_tangent);
        args.write.force |= self.force;
    }

    /// The same for `plan`.
    pub(crate) fn complete_plan(&self, args: &mut PlanArgs) {
        args.json |= self.json;
        args.pareto = args.pareto.take().or(self.path(&self.pareto));
        args.write.force |= self.force;
    }

    /// The same for `check`.
    pub(crate) fn complete_check(&self, args: &mut CheckArgs) {
        args.fc = args.fc.take().or(self.fc.clone());
        args.build = args.build.or(self.build);
        args.fflags = args.fflags.take().or(self.fflags.clone());
        args.ldflags = args.ldflags.take().or(self.ldflags.clone());
        // `--size n=8` and `--value n=8` say the same of a scalar, so each wins over either in the file.
        let (sizes, from_file) = (&mut args.source.code.size, pairs(&self.size));
        let valued: Vec<String> = args.value.iter().map(|t| name_of(t)).collect();
        sizes.retain(|s| !(from_file.contains(s) && valued.contains(&name_of(s))));
        let given: Vec<String> =
            sizes.iter().filter(|s| !from_file.contains(s)).map(|t| name_of(t)).chain(valued).collect();
        args.value.splice(0..0, pairs(&self.value).into_iter().filter(|p| !given.contains(&name_of(p))));
        if args.setup.is_empty() {
            args.setup = Config::list(&self.setup);
        }
        if args.against.is_empty() {
            args.against = Config::list(&self.against).iter().map(|f| self.folder.join(f)).collect();
        }
        args.seed = args.seed.or(self.seed);
        args.keep = args.keep.take().or(self.path(&self.keep));
        args.time_limit = args.time_limit.or(self.time_limit);
        args.threads = args.threads.or(self.threads);
        args.acc |= self.acc.unwrap_or(false);
        args.mpi = args.mpi.or(self.mpi);
        args.mpirun = args.mpirun.take().or(self.mpirun.clone());
    }

    /// The heads of the file's list.
    pub(crate) fn heads(&self) -> Vec<String> {
        Config::list(&self.head)
    }

    /// Whether a size or value of this name stands in the file.
    pub(crate) fn gives(&self, name: &str) -> bool {
        self.size.keys().chain(self.value.keys()).any(|n| name_of(n) == name_of(name))
    }

    /// The same for `report`.
    pub(crate) fn complete_report(&self, args: &mut ReportArgs) {
        if args.output.is_none() {
            args.output = self.path(&self.output);
        }
        args.write.force |= self.force;
    }
}
