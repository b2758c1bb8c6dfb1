//! From what was read to generated text: the one entry point of the binary and of the tests.

use std::collections::BTreeSet;

use costate_analysis::externals::Externals;
use costate_analysis::request::Head;
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::form::ReadFile;
use costate_grammar::ir::Program;
use costate_grammar::lower::{FileInput, lower_with};
use costate_grammar::source::SourceMap;

use crate::externals::declarations;
use crate::failure::Failure;
use crate::finish::finish;
use crate::in_line::with_calls_in_line;
use crate::lift::Lifted;
use crate::never_run;
use crate::plan::{Choices, Model, Optimiser, Trade, frontier};
use crate::progress;
use crate::session::Session;
use crate::told;

pub use crate::differentiated::{Differentiated, HeadArg, HeadInterface, ModuleDerivative, OutputFile};
pub use crate::mode::{Layout, Mode};
pub use crate::options::{Naming, NamingStyle, Options};

/// Lowers what was read to one program.
pub fn load(sources: &mut SourceMap, files: &[ReadFile], options: &Options) -> Result<Program, Vec<Diagnostic>> {
    let (program, errors) = load_all(sources, files, &options.externals, false);
    if errors.is_empty() { Ok(program) } else { Err(errors) }
}

/// The same with what is wrong with the program as a whole, which need not matter to a head, and where default real may have
/// 8 bytes (`wide_real`).
pub fn load_all(
    sources: &mut SourceMap,
    files: &[ReadFile],
    externals: &Externals,
    wide_real: bool,
) -> (Program, Vec<Diagnostic>) {
    let declared = declarations(sources, files, externals);
    let inputs: Vec<FileInput> = files
        .iter()
        .chain(&declared)
        .map(|f| FileInput { file: f.file, lines: f.lines.clone(), units: f.units.clone() })
        .collect();
    let (mut program, mut found) = lower_with(sources, &inputs, wide_real);
    program.declarations = declared.iter().map(|d| d.file).collect();
    told::mark(&mut program);
    never_run::mark(&mut program);
    found.extend(declared.into_iter().flat_map(|d| d.diagnostics));
    (program, found.into_iter().filter(|d| d.severity == Severity::Error).collect())
}

/// Generates derivative code for the heads.
pub fn differentiate(
    program: &mut Program,
    sources: &SourceMap,
    files: &[ReadFile],
    heads: &[Head],
    mode: Mode,
    options: &Options,
) -> Result<Differentiated, Vec<Diagnostic>> {
    progress::stage(match mode {
        Mode::Tangent => "generating tangent code",
        Mode::Adjoint => "generating adjoint code",
    });
    with_calls_in_line(
        program,
        options,
        |program, options| differentiate_once(program, sources, files, heads, mode, options),
        |made, remarks| made.notes.extend(remarks),
    )
}

fn differentiate_once(
    program: &mut Program,
    sources: &SourceMap,
    files: &[ReadFile],
    heads: &[Head],
    mode: Mode,
    options: &Options,
) -> Result<Differentiated, Failure> {
    let lifted = lift(program, sources, files, heads, options);
    let Planned { options, bound, notes } = &planned(program, sources, heads, mode, options)
        .map_err(|problems| without_plan(program, sources, heads, options, problems))?;
    let mut session = built(program, (sources, lifted), heads, mode, options)?;
    crate::output::within_budget(&session)?;
    let mut made = crate::output::write(&mut session, files);
    too_long(&made.files)?;
    made.plan_file.bound = bound.filter(|b| *b <= made.plan_file.ratio);
    made.notes.extend(notes.iter().cloned());
    Ok(made)
}

/// A run with all its code, over variables that have moved to their modules.
fn built<'a>(
    program: &'a mut Program,
    (sources, lifted): (&'a SourceMap, Vec<Lifted>),
    heads: &[Head],
    mode: Mode,
    options: &'a Options,
) -> Result<Session<'a>, Failure> {
    let mut session = Session::new(program, sources, heads, mode, options)?;
    session.lifted = lifted;
    match finish(&mut session) {
        Ok(()) => Ok(session),
        Err(found) => Err(session.failure(found)),
    }
}

/// Refuses names that no compiler takes.
fn too_long(files: &[OutputFile]) -> Result<(), Vec<Diagnostic>> {
    const LONGEST: usize = 63;
    let mut names = BTreeSet::new();
    for file in files {
        // A string may go on in the next line.
        let mut quote = None;
        file.text.lines().for_each(|line| names.extend(names_in(line, &mut quote)));
    }
    let refuse = |name: &str| {
        Diagnostic::global(Code::UnsupportedDeclaration, format!("a generated name would be `{name}`"))
            .reason(format!("a Fortran name has at most {LONGEST} characters, and this one has {}", name.len()))
            .help("shorten the name that it is made from, or set a shorter suffix: `--suffix-tangent`, `--suffix-adjoint`")
    };
    let found: Vec<Diagnostic> = names.into_iter().filter(|n| n.len() > LONGEST).map(refuse).collect();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// The names in a line of code, without those in comments and strings.
fn names_in<'t>(line: &'t str, quote: &mut Option<char>) -> Vec<&'t str> {
    let (mut out, mut start) = (Vec::new(), None);
    for (i, c) in line.char_indices() {
        let inside = quote.is_none() && (c.is_ascii_alphanumeric() || c == '_');
        match (start, inside) {
            (None, true) => start = Some(i),
            (Some(from), false) => {
                out.push(&line[from..i]);
                start = None;
            }
            (None, false) | (Some(_), true) => {}
        }
        match (*quote, c) {
            (Some(q), _) if c == q => *quote = None,
            (None, '\'' | '"') => *quote = Some(c),
            (None, '!') => return out,
            _ => {}
        }
    }
    if !line.ends_with('&') {
        *quote = None;
    }
    out.extend(start.map(|from| &line[from..]));
    out
}

/// The options with the choices of a plan.
struct Planned {
    options: Options,
    /// The bound on its run time. (Of a plan that somebody has changed it need not be one any more.)
    bound: Option<f64>,
    /// What it does without.
    notes: Vec<Diagnostic>,
}

/// The options with the choices of a plan: the one that is given, or one that meets the memory budget.
fn planned(
    program: &Program,
    sources: &SourceMap,
    heads: &[Head],
    mode: Mode,
    options: &Options,
) -> Result<Planned, Vec<Diagnostic>> {
    if mode != Mode::Adjoint || options.plan.is_none() && options.memory.is_none() {
        return Ok(Planned { options: options.clone(), bound: None, notes: Vec::new() });
    }
    // What a plan was made for is known, unless other sizes are given.
    let given = |name: &String| options.sizes.iter().any(|(n, _)| n == name);
    let known = options.plan.iter().flat_map(|p| &p.sizes).filter(|(n, _)| !given(n));
    let known: Vec<_> = known.map(|(n, v)| (n.clone(), v.clone())).collect();
    let sizes = [options.sizes.clone(), known].concat();
    let mut own = program.clone();
    let model = Model::new((program, &mut own), sources, heads, options)?;
    let (choices, bound, notes) = match &options.plan {
        Some(plan) => (model.read(plan)?, plan.bound, Vec::new()),
        None => {
            let optimiser = Optimiser::new(model)?;
            let found = optimiser.plan(options.memory)?;
            // As many digits as the ratio has.
            (found.choices, Some((1e3 * found.bound).floor() / 1e3), optimiser.notes())
        }
    };
    let choices = Choices { disk: options.choices.disk.clone(), ..choices };
    Ok(Planned { options: Options { choices, sizes, ..options.clone() }, bound, notes })
}

/// The plans of least run time for `count` budgets of memory, from the least that works up to what no plan is faster than.
pub fn trades(
    program: &Program,
    sources: &SourceMap,
    files: &[ReadFile],
    heads: &[Head],
    options: &Options,
    count: usize,
) -> Result<Vec<Trade>, Vec<Diagnostic>> {
    progress::stage("looking for plans");
    let attempt = |program: &mut Program, options: &Options| {
        lift(program, sources, files, heads, options);
        let mut own = program.clone();
        let optimiser = Model::new((program, &mut own), sources, heads, options).and_then(Optimiser::new);
        let found = optimiser.and_then(|optimiser| frontier(&optimiser, count));
        found.map_err(|problems| without_plan(program, sources, heads, options, problems))
    };
    // Each plan's code comes with its remarks.
    with_calls_in_line(&mut program.clone(), options, attempt, |_, _| {})
}

/// There is no plan. Where there is no adjoint without a plan either, the calls to be put in line are found there.
fn without_plan(
    program: &Program,
    sources: &SourceMap,
    heads: &[Head],
    options: &Options,
    problems: Vec<Diagnostic>,
) -> Failure {
    let mut program = program.clone();
    let options = Options { memory: None, plan: None, ..options.clone() };
    match built(&mut program, (sources, Vec::new()), heads, Mode::Adjoint, &options) {
        Ok(_) => problems.into(),
        Err(found) => found.reporting(problems),
    }
}

/// Generates tangent and adjoint of the heads with [`Layout::Extend`], both in the same files: complete copies of the
/// user's, for a driver without main programs. Returns these files, and what else there is to know of the two.
pub fn extend_with_both(
    program: &Program,
    sources: &SourceMap,
    files: &[ReadFile],
    heads: &[Head],
    options: &Options,
    for_driver: bool,
) -> Result<(Vec<OutputFile>, [Differentiated; 2]), Vec<Diagnostic>> {
    progress::stage("generating tangent and adjoint code");
    let mut whole = program.clone();
    with_calls_in_line(
        &mut whole,
        options,
        |program, options| extend_once(program, sources, files, heads, options, for_driver),
        |(_, [_, adjoint]), remarks| adjoint.notes.extend(remarks),
    )
}

fn extend_once(
    program: &mut Program,
    sources: &SourceMap,
    files: &[ReadFile],
    heads: &[Head],
    options: &Options,
    for_driver: bool,
) -> Result<(Vec<OutputFile>, [Differentiated; 2]), Failure> {
    let first = program;
    let lifted = lift(first, sources, files, heads, options);
    let mut second = first.clone();
    let tangent = built(first, (sources, lifted.clone()), heads, Mode::Tangent, options);
    let Planned { options: chosen, bound, notes } = match planned(&second, sources, heads, Mode::Adjoint, options) {
        Ok(planned) => planned,
        Err(problems) => return Err(without_plan(&second, sources, heads, options, problems).after(tangent.err())),
    };
    let (mut tangent, mut adjoint) =
        match (tangent, built(&mut second, (sources, lifted), heads, Mode::Adjoint, &chosen)) {
            (Ok(tangent), Ok(adjoint)) => (tangent, adjoint),
            (Err(failure), Ok(_)) => return Err(failure),
            (tangent, Err(failure)) => return Err(failure.after(tangent.err())),
        };
    // The user's text changes once for both.
    adjoint.lifted.clear();
    for session in [&tangent, &adjoint] {
        crate::output::within_budget(session)?;
    }
    let (files, [tangent, mut adjoint]) = crate::output::write_both([&mut tangent, &mut adjoint], files, for_driver);
    adjoint.plan_file.bound = bound.filter(|b| *b <= adjoint.plan_file.ratio);
    adjoint.notes.extend(notes);
    Ok((files, [tangent, adjoint]))
}

/// Copies procedures for what they are given. Saved local variables move to their modules where these are written anew;
/// of those that stay, what is set up in first calls is set up in each. Dummies with one element are of assumed size.
fn lift(
    program: &mut Program,
    sources: &SourceMap,
    files: &[ReadFile],
    heads: &[Head],
    options: &Options,
) -> Vec<Lifted> {
    let procedures: Vec<_> = heads.iter().map(|h| h.proc).collect();
    crate::one_element::settle(program, &procedures);
    crate::specialise::run(program, &procedures, &options.rewrites);
    let lifted = match options.layout {
        Layout::Separate => Vec::new(),
        Layout::Extend => {
            let naming = &options.naming;
            let suffixes = [Mode::Tangent, Mode::Adjoint]
                .into_iter()
                .flat_map(|m| [naming.variable_suffix(m), naming.procedure_suffix(m)])
                .collect();
            crate::lift::run(program, sources, files, &procedures, &suffixes)
        }
    };
    crate::first_calls::run(program, &procedures);
    lifted
}
