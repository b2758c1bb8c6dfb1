//! What all commands begin with: configuration, sources, program, heads.

use std::collections::BTreeSet;
use std::path::Path;

use costate_adjoint::externals::DECLARATIONS;
use costate_adjoint::optimise::PassSet;
use costate_adjoint::pipeline::{self, Layout, Naming, NamingStyle, Options};
use costate_adjoint::plan::{CallChoice, Choices, PlanFile, trip_counts};
use costate_adjoint::progress;
use costate_analysis::request::{Head, HeadText, parse_heads, resolve};
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::form::{FixedLayout, Form, ReadFile, ReadOptions, read};
use costate_grammar::ir::Program;

use crate::cli::{CallsArg, CodeArgs, DLinesArg, FormArg, LayoutArg, LineLengthArg, NamingArg, SourceArgs};
use crate::config::{self, Config};
use crate::{Session, Status, needed, tables};

/// Everything that a command works on.
pub(crate) struct Front {
    pub(crate) files: Vec<ReadFile>,
    pub(crate) program: Program,
    pub(crate) heads: Vec<Head>,
    pub(crate) options: Options,
}

/// Gives the diagnostics to the user and the status that they stand for.
pub(crate) fn refuse(session: &mut Session, diagnostics: &[Diagnostic]) -> Status {
    session.messages.emit(&session.sources, diagnostics);
    Status::of(diagnostics)
}

/// Reads the configuration file and completes the options that all commands share.
pub(crate) fn configure(session: &mut Session, args: &mut SourceArgs) -> Result<Config, Status> {
    let config = config::load(&mut session.sources, &args.files).map_err(|d| refuse(session, &[*d]))?;
    config.complete_source(args);
    session.messages.configure(&args.message);
    Ok(config)
}

/// Reads the sources and finds the heads.
pub(crate) fn open(session: &mut Session, args: &SourceArgs) -> Result<Front, Status> {
    let options = checked_options(session, args)?;
    let texts = head_texts(session, args)?;
    let (files, mut problems) = read_all(session, args);
    let (program, found) = pipeline::load_all(&mut session.sources, &files, &options.externals, args.wide_real());
    problems.extend(found);
    let mut heads: Vec<Head> = Vec::new();
    let mut unresolved = Vec::new();
    for text in &texts {
        match resolve(&program, text) {
            Ok(head) => {
                let same = |h: &Head| {
                    (h.proc, &h.dependents, &h.independents) == (head.proc, &head.dependents, &head.independents)
                };
                if !heads.iter().any(same) {
                    heads.push(head);
                }
            }
            Err(list) => unresolved.extend(list),
        }
    }
    if unresolved.is_empty() {
        needed::excuse(&program, &heads, &mut problems);
    }
    // Where a file couldn't be read, a head that isn't found is no wonder.
    if !problems.iter().any(|d| d.severity == Severity::Error) {
        problems.extend(unresolved);
    }
    if problems.iter().any(|d| d.severity == Severity::Error) {
        return Err(refuse(session, &problems));
    }
    problems.extend(unused_sizes(&program, &options));
    session.messages.emit(&session.sources, &problems);
    Ok(Front { files, program, heads, options })
}

/// The options of generated code, as far as they can be wrong by themselves.
pub(crate) fn checked_options(session: &mut Session, args: &SourceArgs) -> Result<Options, Status> {
    let mut options = options(&args.code).map_err(|d| refuse(session, &[*d]))?;
    options.externals = tables::read(session, args).map_err(|d| refuse(session, &[*d]))?;
    options.macros = !args.define.is_empty() || !args.undefine.is_empty();
    check_macros(args).map_err(|d| refuse(session, &[*d]))?;
    if args.default_real.is_some_and(|bytes| !matches!(bytes, 4 | 8)) {
        let d = Diagnostic::global(Code::Configuration, "default real has 4 or 8 bytes");
        return Err(refuse(session, &[d.help("write `default-real = 8`, or leave it out")]));
    }
    Ok(options)
}

fn head_texts(session: &mut Session, args: &SourceArgs) -> Result<Vec<HeadText>, Status> {
    let mut texts = Vec::new();
    for head in &args.head {
        match parse_heads(head) {
            Ok(heads) => texts.extend(heads),
            Err(d) => return Err(refuse(session, &[d])),
        }
    }
    if texts.is_empty() {
        let d = Diagnostic::global(Code::HeadSyntax, "no head is given")
            .help("say what to differentiate: `--head 'module::procedure(dependents)/(independents)'`");
        return Err(refuse(session, &[d]));
    }
    Ok(texts)
}

/// Warns of sizes for names that the program doesn't have: what they were meant for is taken to be of another size.
fn unused_sizes(program: &Program, options: &Options) -> Vec<Diagnostic> {
    let trips = trip_counts(program);
    let names: BTreeSet<&str> =
        program.symbols.iter().map(|s| s.name.as_str()).chain(trips.iter().map(String::as_str)).collect();
    // `module::name%component`
    let root = |name: &str| {
        let variable = name.split('%').next().unwrap_or(name);
        variable.rsplit("::").next().unwrap_or(variable).trim().to_ascii_lowercase()
    };
    let unused = options.sizes.iter().filter(|(n, _)| !names.contains(root(n).as_str()));
    let warning = |(name, _): &(String, Vec<i64>)| {
        Diagnostic::global(Code::Configuration, format!("a size is given for `{name}`, and nothing has this name"))
            .severity(Severity::Warning)
            .help("give sizes by the names of integers and arrays in the sources")
    };
    unused.map(warning).collect()
}

/// Reads the sources, as far as they can be read, and says what is wrong with them.
pub(crate) fn read_all(session: &mut Session, args: &SourceArgs) -> (Vec<ReadFile>, Vec<Diagnostic>) {
    let loader = |path: &str| config::text(Path::new(path)).ok();
    let options = ReadOptions {
        defines: args.define.iter().map(|d| split_define(d)).collect(),
        undefines: args.undefine.clone(),
        include_dirs: args.include.iter().map(|p| p.display().to_string()).collect(),
        form: args.form.map(form),
        fixed: fixed_layout(args),
        cpp: args.cpp,
        loader: &loader,
    };
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for path in &args.files {
        let name = path.display().to_string();
        progress::stage(&format!("reading {name}"));
        if session.sources.find(&name).is_some() {
            continue;
        }
        match config::text(path) {
            Ok(text) => {
                let file = read(&mut session.sources, &name, text, &options);
                problems.extend(file.diagnostics.iter().cloned());
                files.push(file);
            }
            Err(e) => problems.push(
                Diagnostic::global(Code::FileUnreadable, format!("`{name}` can't be read: {e}"))
                    .help("name Fortran sources that exist and may be read"),
            ),
        }
    }
    (files, problems)
}

/// How the options say that fixed form is read.
fn fixed_layout(args: &SourceArgs) -> FixedLayout {
    let width = match args.fixed_line_length {
        None => FixedLayout::default().width,
        Some(LineLengthArg::Card) => Some(72),
        Some(LineLengthArg::WholeCard) => Some(80),
        Some(LineLengthArg::Extended) => Some(132),
        Some(LineLengthArg::Unlimited) => None,
    };
    let debugging = args.d_lines.map(|d| d == DLinesArg::Code);
    FixedLayout { width, width_given: args.fixed_line_length.is_some(), debugging }
}

/// Name and value of `-D`.
fn split_define(text: &str) -> (String, Option<String>) {
    match text.split_once('=') {
        Some((name, value)) => (name.to_string(), Some(value.to_string())),
        None => (text.to_string(), None),
    }
}

/// Refuses what can't be the name of a macro.
fn check_macros(args: &SourceArgs) -> Result<(), Box<Diagnostic>> {
    let defined = args.define.iter().map(|d| ("-D", d.as_str(), d.split('=').next().unwrap_or_default()));
    let undefined = args.undefine.iter().map(|u| ("-U", u.as_str(), u.as_str()));
    for (option, text, name) in defined.chain(undefined) {
        // `-D'f(x)=x'` defines a macro with parameters.
        let name = name.split('(').next().unwrap_or_default();
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            let message = format!("`{option}{text}` names no macro");
            return Err(Box::new(
                Diagnostic::global(Code::Configuration, message).help("write `-DNAME` or `-DNAME=VALUE`, `-UNAME`"),
            ));
        }
    }
    Ok(())
}

/// The names of sources, and of what they include.
pub(crate) fn sources_read(session: &Session) -> impl Iterator<Item = String> {
    // Tables of external procedures are read for themselves, and for their declarations.
    let names: indexmap::IndexSet<&String> = session.sources.iter().map(|(_, f)| &f.name).collect();
    names.into_iter().filter(|name| *name != DECLARATIONS).cloned().collect::<Vec<_>>().into_iter()
}

/// The names of all files that were read: sources, what they include, configuration, plan.
pub(crate) fn files_read(session: &Session, args: &SourceArgs) -> Vec<String> {
    let sources = sources_read(session);
    let plan = args.code.plan.iter().map(|p| p.display().to_string());
    sources.chain(plan).chain([config::path(&args.files).display().to_string()]).collect()
}

/// The source form of an option.
pub(crate) fn form(form: FormArg) -> Form {
    match form {
        FormArg::Free => Form::Free,
        FormArg::Fixed => Form::Fixed,
    }
}

fn options(args: &CodeArgs) -> Result<Options, Box<Diagnostic>> {
    let style = match args.naming.unwrap_or_default() {
        NamingArg::Costate => NamingStyle::Costate,
        NamingArg::Tapenade => NamingStyle::Tapenade,
    };
    for suffix in [&args.suffix_tangent, &args.suffix_adjoint].into_iter().flatten() {
        if suffix.is_empty() || !suffix.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(Box::new(
                Diagnostic::global(Code::Configuration, format!("`{suffix}` can't be a suffix of Fortran names"))
                    .help("use letters, digits and underscores"),
            ));
        }
    }
    let naming = Naming { style, tangent: args.suffix_tangent.clone(), adjoint: args.suffix_adjoint.clone() };
    if naming.tangent.is_some() && naming.tangent == naming.adjoint {
        return Err(Box::new(Diagnostic::global(Code::Configuration, "tangent and adjoint suffix are the same")));
    }
    let layout = match args.layout.unwrap_or_default() {
        LayoutArg::Separate => Layout::Separate,
        LayoutArg::Extend => Layout::Extend,
    };
    let allow_undo = args.allow_undo.unwrap_or(false);
    let verify = args.verify.unwrap_or(false);
    let memory = args.memory.as_deref().map(memory).transpose()?;
    let sizes = sizes(&args.size)?;
    args.disk.as_deref().map_or(Ok(()), check_disk)?;
    let keep_primal = args.keep_primal.unwrap_or(false);
    let plan = args.plan.as_deref().map(read_plan).transpose()?;
    let other_calls = args.calls.map(|c| match c {
        CallsArg::Joint => CallChoice::Joint,
        CallsArg::Split => CallChoice::Split,
    });
    let choices = Choices { other_calls, disk: args.disk.clone(), ..Choices::default() };
    let passes = args.without_pass.iter().fold(PassSet::ALL, |all, p| all.without(*p));
    Ok(Options {
        naming,
        layout,
        keep_primal,
        allow_undo,
        verify,
        memory,
        sizes,
        plan,
        choices,
        passes,
        check_forms: args.check_forms,
        ..Options::default()
    })
}

fn read_plan(path: &Path) -> Result<PlanFile, Box<Diagnostic>> {
    let text = config::text(path).map_err(|e| e.to_string());
    text.and_then(|t| PlanFile::parse(&t)).map_err(|e| {
        Box::new(
            Diagnostic::global(Code::Configuration, format!("the plan `{}` can't be read: {e}", path.display()))
                .help("make one with `costate plan ... -o plan.toml`"),
        )
    })
}

/// The folder of snapshots goes into generated code as it is.
fn check_disk(folder: &str) -> Result<(), Box<Diagnostic>> {
    let wrong = |why: &str| {
        let shown: String = folder.chars().filter(|c| !c.is_control()).take(40).collect();
        let message = format!("`--disk {shown}` can't be a folder of snapshots: {why}");
        Err(Box::new(Diagnostic::global(Code::Configuration, message).help("name a folder by a short path")))
    };
    if folder.is_empty() {
        wrong("the name is empty")
    } else if folder.chars().any(char::is_control) {
        wrong("there is a control character in the name")
    } else if folder.len() > LONGEST_FOLDER {
        wrong(&format!("the name has more than {LONGEST_FOLDER} bytes"))
    } else {
        Ok(())
    }
}

/// Bytes of a folder's name that generated code can hold in one statement.
const LONGEST_FOLDER: usize = 1024;

/// Sizes by name. One can be given twice only with the same value.
fn sizes(texts: &[String]) -> Result<Vec<(String, Vec<i64>)>, Box<Diagnostic>> {
    let mut out: Vec<(String, Vec<i64>)> = Vec::new();
    for text in texts {
        let (name, values) = size(text)?;
        let wrong = |message: String, help: &str| {
            Err(Box::new(Diagnostic::global(Code::Configuration, message).help(help.to_string())))
        };
        if values.iter().any(|v| *v < 0) {
            return wrong(format!("`--size {text}` is negative"), "give a number that isn't");
        }
        match out.iter().find(|(n, _)| n.eq_ignore_ascii_case(&name)) {
            Some((_, known)) if *known == values => {}
            Some(_) => return wrong(format!("there are two sizes of `{name}`"), "give one"),
            None => out.push((name, values)),
        }
    }
    Ok(out)
}

/// Name and values of `n=64` and `a=4,6`.
fn size(text: &str) -> Result<(String, Vec<i64>), Box<Diagnostic>> {
    let parsed = text.split_once('=').and_then(|(name, list)| {
        let extents: Option<Vec<i64>> = list.split(',').map(|w| w.trim().parse().ok()).collect();
        extents.map(|e| (name.trim().to_string(), e)).filter(|(name, _)| !name.is_empty())
    });
    parsed.ok_or_else(|| {
        Box::new(
            Diagnostic::global(Code::Configuration, format!("`--size {text}` can't be read"))
                .help("write `--size n=64` or `--size a=4,6`"),
        )
    })
}

/// Bytes of `4GiB`, `500 MB` and the like.
fn memory(text: &str) -> Result<u64, Box<Diagnostic>> {
    costate_adjoint::memory::bytes(text).ok_or_else(|| {
        Box::new(
            Diagnostic::global(Code::Configuration, format!("`{text}` isn't an amount of memory"))
                .help("write `4GiB` or `500MB`"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::memory;

    #[test]
    fn amounts_of_memory() {
        assert_eq!(memory("4GiB").unwrap(), 4 << 30);
        assert_eq!(memory("500 MB").unwrap(), 500_000_000);
        assert_eq!(memory("1.5k").unwrap(), 1536);
        assert!(memory("lots").is_err());
        assert!(memory("-1").is_err());
    }
}
