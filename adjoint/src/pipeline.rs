//! From what was read to generated text: the one entry point of the binary and of the tests.

use std::collections::BTreeSet;

use costate_analysis::normal::CallRewrites;
use costate_analysis::request::Head;
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::form::{Form, ReadFile};
use costate_grammar::ir::{Name, Program, SymId};
use costate_grammar::lower::{FileInput, lower_with};
use costate_grammar::source::{FileId, SourceMap};

use crate::in_line::{Failure, with_calls_in_line};
use crate::interface::{explicit, kinds, scope, state};
use crate::lift::Lifted;
use crate::memory::ProcedurePlan;
use crate::passes::PassSet;
use crate::plan::{Choices, Model, Optimiser, PlanFile, Trade, frontier};
use crate::precision::Precision;
use crate::progress;
use crate::refusals::merged;
use crate::session::Session;

/// Which derivative code to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// Forward mode.
    Tangent,
    /// Reverse mode.
    Adjoint,
}

/// How names of derivatives are formed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamingStyle {
    /// `x_b`, `f_b`, `m_b`
    #[default]
    Costate,
    /// `xb`, `f_b`, `m_diff`
    Tapenade,
}

/// Names in generated code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Naming {
    /// The style.
    pub style: NamingStyle,
    /// The suffix of variables, procedures and modules in tangent code, in place of the style's.
    pub tangent: Option<String>,
    /// The same for adjoint code.
    pub adjoint: Option<String>,
}

impl Naming {
    fn own(&self, mode: Mode) -> Option<&str> {
        match mode {
            Mode::Tangent => self.tangent.as_deref(),
            Mode::Adjoint => self.adjoint.as_deref(),
        }
    }

    /// The suffix of a variable's derivative.
    pub fn variable_suffix(&self, mode: Mode) -> &str {
        self.own(mode).unwrap_or(match (self.style, mode) {
            (NamingStyle::Costate, Mode::Tangent) => "_d",
            (NamingStyle::Costate, Mode::Adjoint) => "_b",
            (NamingStyle::Tapenade, Mode::Tangent) => "d",
            (NamingStyle::Tapenade, Mode::Adjoint) => "b",
        })
    }

    /// The suffix of a procedure's derivative, and of the generated file.
    pub fn procedure_suffix(&self, mode: Mode) -> &str {
        self.own(mode).unwrap_or(match mode {
            Mode::Tangent => "_d",
            Mode::Adjoint => "_b",
        })
    }

    /// The suffix of a generated module.
    pub fn module_suffix(&self, mode: Mode) -> &str {
        match self.style {
            NamingStyle::Costate => self.procedure_suffix(mode),
            NamingStyle::Tapenade => self.own(mode).unwrap_or("_diff"),
        }
    }
}

/// Where generated procedures go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// A module of their own that uses the primal's.
    #[default]
    Separate,
    /// The primal's module, extended.
    Extend,
}

/// What the user may choose about generated code.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names.
    pub naming: Naming,
    /// Where generated procedures go.
    pub layout: Layout,
    /// Compute the primal's outputs in adjoint code too.
    pub keep_primal: bool,
    /// Increments may be undone by the opposite increment instead of saving what they overwrite.
    pub allow_undo: bool,
    /// Adjoints compare what they compute again with what was computed first, when the run-time library is asked to.
    pub verify: bool,
    /// Source form of generated text; free form when not given.
    pub output_form: Option<Form>,
    /// Macros are given: generated files guard those that the sources depend on.
    pub macros: bool,
    /// Memory that saved values may take, in bytes.
    pub memory: Option<u64>,
    /// Values of integers and extents of arrays by name, for which memory is planned.
    pub sizes: Vec<(String, Vec<i64>)>,
    /// What is chosen for time loops and calls.
    pub choices: Choices,
    /// A plan that was made before, to be followed.
    pub plan: Option<PlanFile>,
    /// The passes that arrange generated code for speed.
    pub passes: PassSet,
    /// What is done to calls that can't be differentiated as they are.
    pub rewrites: CallRewrites,
    /// Statements have comments before them that say where they come from ([`costate_grammar::print::traced`]).
    pub origins: bool,
}

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// The user's file that it belongs to.
    pub source: FileId,
    /// Its name without folder, `s_b.f90` say.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What a generated head procedure is called, and with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadInterface {
    /// The generated module; `None` for an external procedure.
    pub module: Option<String>,
    /// The generated procedure.
    pub procedure: String,
    /// Its arguments in call order.
    pub args: Vec<HeadArg>,
    /// `bind(c, name="...")` of the generated procedure: the text inside the parentheses.
    pub bind: Option<String>,
    /// Module variables among dependents and independents.
    pub module_vars: Vec<ModuleDerivative>,
}

/// An argument of a generated head procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadArg {
    /// A dummy of the primal.
    Primal(SymId),
    /// The derivative of a dummy of the primal.
    Derivative(SymId),
    /// The primal's function result.
    PrimalResult,
    /// The derivative of the function's result.
    DerivativeResult,
}

/// The derivative of a module variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleDerivative {
    /// The primal's variable.
    pub primal: SymId,
    /// The generated module that holds the derivative.
    pub module: String,
    /// The derivative's name.
    pub name: String,
}

/// Generated code.
#[derive(Clone, Debug, Default)]
pub struct Differentiated {
    /// Generated files, in an order in which they can be compiled.
    pub files: Vec<OutputFile>,
    /// One for each head, in order.
    pub interfaces: Vec<HeadInterface>,
    /// The outputs of every head that are known less exactly than in double, with the reasons.
    pub precisions: Vec<Vec<Precision>>,
    /// What every head leaves in variables may be another value each time it runs from the same state: that of a clock, say.
    pub unsteady: Vec<BTreeSet<(SymId, Vec<Name>)>>,
    /// Remarks.
    pub notes: Vec<Diagnostic>,
    /// What the analyses found: activity and effects of every procedure.
    pub facts: String,
    /// What is saved, what is computed again, and why; what that takes.
    pub plans: Vec<ProcedurePlan>,
    /// What is chosen for time loops and calls, as a file.
    pub plan_file: PlanFile,
    /// True where the code calls the run-time library.
    pub uses_runtime: bool,
}

impl Differentiated {
    /// The plans as text.
    pub fn plan(&self) -> String {
        self.plans.iter().map(ToString::to_string).collect()
    }
}

/// Lowers what was read to one program.
pub fn load(sources: &SourceMap, files: &[ReadFile]) -> Result<Program, Vec<Diagnostic>> {
    load_with(sources, files, false)
}

/// The same where default real may have 8 bytes (`wide_real`).
pub fn load_with(sources: &SourceMap, files: &[ReadFile], wide_real: bool) -> Result<Program, Vec<Diagnostic>> {
    let (program, errors) = load_all(sources, files, wide_real);
    if errors.is_empty() { Ok(program) } else { Err(errors) }
}

/// The same with what is wrong with the program as a whole, which need not matter to a head.
pub fn load_all(sources: &SourceMap, files: &[ReadFile], wide_real: bool) -> (Program, Vec<Diagnostic>) {
    let inputs: Vec<FileInput> =
        files.iter().map(|f| FileInput { file: f.file, lines: f.lines.clone(), units: f.units.clone() }).collect();
    let (program, found) = lower_with(sources, &inputs, wide_real);
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
    let mut session = built(program, sources, heads, mode, options)?;
    session.lifted = lifted;
    crate::output::within_budget(&session)?;
    let mut made = crate::output::write(&mut session, files);
    too_long(&made.files)?;
    made.plan_file.bound = bound.filter(|b| *b <= made.plan_file.ratio);
    made.notes.extend(notes.iter().cloned());
    Ok(made)
}

/// A run with all its code.
fn built<'a>(
    program: &'a mut Program,
    sources: &'a SourceMap,
    heads: &[Head],
    mode: Mode,
    options: &'a Options,
) -> Result<Session<'a>, Failure> {
    let mut session = Session::new(program, sources, heads, mode, options)?;
    match finish(&mut session) {
        Ok(()) => Ok(session),
        Err(found) => Err(Failure::of(&session, found)),
    }
}

/// Builds all code and resolves its names, as far as nothing is refused.
pub(crate) fn finish(session: &mut Session<'_>) -> Result<(), Vec<Diagnostic>> {
    session.build();
    for p in session.generated() {
        crate::specialise::restore_inside(session.program, p);
    }
    if session.problems.is_empty() {
        crate::finals::run(session);
    }
    if session.problems.is_empty() {
        state::run(session);
        kinds::run(session);
        explicit::run(session);
    }
    // What generated code can't name is found in what was built, whole or not.
    let unnamed = scope::resolve(session);
    let problems = merged(std::mem::take(&mut session.problems), unnamed);
    if problems.is_empty() { Ok(()) } else { Err(problems) }
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
    let model = Model::new(&mut own, sources, heads, options)?;
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
        let optimiser = Model::new(&mut own, sources, heads, options).and_then(Optimiser::new);
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
    match built(&mut program, sources, heads, Mode::Adjoint, &options) {
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
    let tangent = built(first, sources, heads, Mode::Tangent, options);
    let Planned { options: chosen, bound, notes } = match planned(&second, sources, heads, Mode::Adjoint, options) {
        Ok(planned) => planned,
        Err(problems) => return Err(without_plan(&second, sources, heads, options, problems).after(tangent.err())),
    };
    let (mut tangent, mut adjoint) = match (tangent, built(&mut second, sources, heads, Mode::Adjoint, &chosen)) {
        (Ok(tangent), Ok(adjoint)) => (tangent, adjoint),
        (Err(failure), Ok(_)) => return Err(failure),
        (tangent, Err(failure)) => return Err(failure.after(tangent.err())),
    };
    tangent.lifted = lifted;
    for session in [&tangent, &adjoint] {
        crate::output::within_budget(session)?;
    }
    let (files, [tangent, mut adjoint]) = crate::output::write_both([&mut tangent, &mut adjoint], files, for_driver);
    adjoint.plan_file.bound = bound.filter(|b| *b <= adjoint.plan_file.ratio);
    adjoint.notes.extend(notes);
    Ok((files, [tangent, adjoint]))
}

/// Copies procedures for what they are given, and moves saved local variables to their modules where these are written
/// anew.
fn lift(
    program: &mut Program,
    sources: &SourceMap,
    files: &[ReadFile],
    heads: &[Head],
    options: &Options,
) -> Vec<Lifted> {
    let procedures: Vec<_> = heads.iter().map(|h| h.proc).collect();
    crate::specialise::run(program, &procedures);
    match options.layout {
        Layout::Separate => Vec::new(),
        Layout::Extend => {
            let naming = &options.naming;
            let suffixes = [Mode::Tangent, Mode::Adjoint]
                .into_iter()
                .flat_map(|m| [naming.variable_suffix(m), naming.procedure_suffix(m)])
                .collect();
            crate::lift::run(program, sources, files, &procedures, &suffixes)
        }
    }
}
