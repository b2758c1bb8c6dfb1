//! Verification of generated code: a driver is written, built with the user's compiler, run, and its figures are judged.
//!
//! `slots` finds the variables a driver must provide, `values` what they are given, `access`, `declare` and `fill` write
//! the parts of the driver that touch them, `driver` puts these together; the probe in `probe.f90` calls them. `compiler`
//! compiles what is the same for all programs, `build` the rest, and runs; `figures` reads and judges what came out.

mod access;
mod again;
mod against;
mod build;
mod compiler;
#[cfg(test)]
mod damage_tests;
mod declare;
mod driver;
mod edits;
mod explain;
mod figures;
mod fill;
mod findings;
#[cfg(test)]
mod findings_tests;
mod handles;
mod judge;
mod mpi;
#[cfg(test)]
mod mpi_tests;
mod names;
mod order;
mod others;
mod outcome;
mod point;
mod raw;
mod report;
mod run;
mod script;
mod slots;
mod start;
mod state;
mod statements;
mod subset;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod trouble_tests;
mod values;
mod variant;
mod writer;

use std::collections::BTreeSet;
use std::path::PathBuf;

use costate_analysis::externals::handles::Handles;
use costate_analysis::request::Head;
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::form::ReadFile;
use costate_grammar::ir::Program;
use costate_grammar::source::{FileId, SourceMap};

use crate::differentiated::{Differentiated, OutputFile};
use crate::failure::listed;
use crate::mode::{Layout, Mode};
use crate::options::{NamingStyle, Options};
use crate::pipeline;
use crate::plan::trip_counts;

use slots::Slots;

pub use against::Against;
pub use compiler::{Part, Parts};
pub use figures::{Fault, Figures, Finding, Order, Pair, Step, Verdict};
pub use mpi::{MpiRuns, flavour as mpi_flavour, launcher as mpi_launcher};
pub use point::Point;
pub use report::{HeadReport, Report};
pub use variant::{Flags, ParallelRuns, Variant};

/// What the user may choose about a check.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The compiler.
    pub fc: String,
    /// Flags of the user's for everything, after those of a variant.
    pub fflags: Vec<String>,
    /// In what variants programs are compiled; both, with flags for the compiler, when none is given.
    pub variants: Vec<Flags>,
    /// Flags after all files, for libraries.
    pub ldflags: Vec<String>,
    /// Flags that the sources need for preprocessing: `-D`, `-U`, `-I`, `-cpp`.
    pub cpp_flags: Vec<String>,
    /// Flags to link the run-time library, where generated code uses it.
    pub runtime: Vec<String>,
    /// `--value`: name and Fortran text. `module::name` is a module variable.
    pub values: Vec<(String, String)>,
    /// Procedures without arguments that are called before all else: `module::procedure`.
    pub setup: Vec<String>,
    /// Files that stand for generated ones.
    pub against: Vec<Against>,
    /// Where derivatives are wrong, the statements are looked for where the difference starts.
    pub search: bool,
    /// What happens to generated text before it is checked: errors are put into it to test the search for them.
    pub altered: Option<fn(&str) -> String>,
    /// Seed of random values at the first point.
    pub seed: u64,
    /// The points at which derivatives are verified: at the first of them in all variants, at the others in the last.
    pub points: Vec<Point>,
    /// A folder to keep everything in; a temporary one when not given.
    pub keep: Option<PathBuf>,
    /// Seconds that a driver may run.
    pub time_limit: u64,
    /// How the directives of parallel code are heeded.
    pub parallel: ParallelRuns,
    /// How programs run in several processes; each is one process otherwise.
    pub mpi: Option<MpiRuns>,
    /// What is the same for all programs, where other checks compiled it with the same compiler and flags.
    pub parts: Parts,
    /// How code is generated.
    pub generate: Options,
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            fc: "gfortran".to_string(),
            fflags: Vec::new(),
            variants: Vec::new(),
            ldflags: Vec::new(),
            cpp_flags: Vec::new(),
            runtime: Vec::new(),
            values: Vec::new(),
            setup: Vec::new(),
            against: Vec::new(),
            search: true,
            altered: None,
            seed: 42,
            points: Point::ALL.to_vec(),
            keep: None,
            time_limit: 120,
            parallel: ParallelRuns::default(),
            mpi: None,
            parts: Parts::default(),
            generate: Options::default(),
        }
    }
}

/// Generates tangent and adjoint of all heads and verifies them.
pub fn check(
    program: &Program,
    sources: &SourceMap,
    files: &[ReadFile],
    heads: &[Head],
    options: &CheckOptions,
) -> Result<Report, Vec<Diagnostic>> {
    let mut generated = generate(program, sources, files, heads, options)?;
    against::replace(&mut generated, &options.against).map_err(|d| vec![*d])?;
    let mut checked = check_generated(program, sources, files, heads, &generated, options);
    let notes = [&generated.tangent.notes, &generated.adjoint.notes].into_iter().flatten();
    let warnings = listed(notes.filter(|d| d.severity == Severity::Warning).cloned().collect());
    match &mut checked {
        Ok(report) => report.warnings = warnings,
        Err(found) => found.extend(warnings),
    }
    if !options.search {
        return checked;
    }
    let again = again::Again::new(program, (sources, files), options);
    match &mut checked {
        Ok(report) if options.against.is_empty() => start::in_calls(report, again, heads),
        Ok(report) => {
            for (i, wrong) in report.heads.iter_mut().enumerate().filter(|(_, r)| r.is_wrong()) {
                wrong.explanations.extend(start::in_files(&again, heads, &options.against, i));
            }
        }
        Err(list) if !options.against.is_empty() => {
            for d in list.iter_mut().filter(|d| d.code == Code::CheckFailed) {
                let found = start::in_files(&again, heads, &options.against, 0).join("\n");
                d.reason = Some(d.reason.take().map_or(found.clone(), |r| format!("{r}\n{found}")));
            }
        }
        Err(_) => {}
    }
    checked
}

/// Generates tangent and adjoint of all heads.
fn generate(
    program: &Program,
    sources: &SourceMap,
    files: &[ReadFile],
    heads: &[Head],
    options: &CheckOptions,
) -> Result<Generated, Vec<Diagnostic>> {
    let as_asked = &options.generate;
    // Both modes stand in one program, so their modules need names of their own.
    let mut generate = as_asked.clone();
    generate.naming.style = NamingStyle::Costate;
    let mut made = match generate.layout {
        Layout::Separate => {
            let make = |mode| {
                let make = |o: &Options| pipeline::differentiate(&mut program.clone(), sources, files, heads, mode, o);
                let code = make(&generate)?;
                // A file that is given has the names that were asked for.
                let given = as_asked.naming != generate.naming && options.against.iter().any(|f| f.is_of(&code));
                if given { make(as_asked) } else { Ok(code) }
            };
            match (make(Mode::Tangent), make(Mode::Adjoint)) {
                (Ok(tangent), Ok(adjoint)) => Generated { tangent, adjoint, ..Generated::default() },
                (tangent, adjoint) => {
                    let found = [tangent.err(), adjoint.err()].into_iter().flatten().flatten();
                    return Err(listed(found.collect()));
                }
            }
        }
        Layout::Extend => {
            let (extended, [tangent, adjoint]) =
                pipeline::extend_with_both(program, sources, files, heads, &generate, true)?;
            Generated { extended, tangent, adjoint, ..Generated::default() }
        }
    };
    if let Some(alter) = options.altered {
        let all = [&mut made.extended, &mut made.tangent.files, &mut made.adjoint.files];
        all.into_iter().flatten().for_each(|f| f.text = alter(&f.text));
    }
    Ok(made)
}

/// Tangent and adjoint code of the same heads.
#[derive(Clone, Debug, Default)]
pub struct Generated {
    /// Complete files that take the place of the user's.
    pub extended: Vec<OutputFile>,
    /// Files of the user's with other text than on disk.
    pub edited: Vec<OutputFile>,
    /// Forward mode.
    pub tangent: Differentiated,
    /// Reverse mode.
    pub adjoint: Differentiated,
}

impl Generated {
    /// All files.
    fn files(&self) -> impl Iterator<Item = &OutputFile> {
        self.extended.iter().chain(&self.tangent.files).chain(&self.adjoint.files)
    }
}

/// Verifies code that was generated (or written by hand) before.
pub fn check_generated(
    program: &Program,
    sources: &SourceMap,
    files: &[ReadFile],
    heads: &[Head],
    generated: &Generated,
    options: &CheckOptions,
) -> Result<Report, Vec<Diagnostic>> {
    let mut also: Vec<FileId> = generated.files().map(|f| f.source).collect();
    also.extend(names::setup_files(program, &options.setup));
    let (handles, completed) = with_handles(program, heads, options)?;
    for options in &completed {
        also.extend(slots::module_variables(program, options).into_iter().map(|(_, module)| program[module].file));
    }
    let order = order::compile_order(program, files, heads, also);
    let mut drivers = Vec::new();
    let mut problems = Vec::new();
    for (i, (head, options)) in heads.iter().zip(&completed).enumerate() {
        match driver::write(program, head, i, generated, (options, &order, &handles)) {
            Ok(driver) => drivers.push(driver),
            Err(d) => problems.push(*d),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let build = build::Build::new(options, (program, sources), &order, generated, &drivers).map_err(|d| vec![*d])?;
    let point = options.points.first().copied().unwrap_or_default();
    let runs = run_all(&build, &drivers, options, point).map_err(|d| vec![*d])?;
    let judged: Vec<_> = (0..drivers.len()).map(|i| judge_all(&drivers[i], i, &runs, options)).collect();
    let programs: Vec<&build::Programs<'_>> = runs.iter().map(|(_, programs, _)| programs).collect();
    let points: Vec<Point> = judged.iter().map(|(at, _)| *at).collect();
    build.leave_script(&programs, &drivers, &points).map_err(|d| vec![*d])?;
    let heads: Result<Vec<_>, _> = judged.into_iter().map(|(_, j)| j).collect();
    Ok(Report { seed: options.seed, heads: heads.map_err(|d| vec![*d])?, warnings: Vec::new() })
}

/// The program's handles of MPI, and for each head the options with values for those that it needs.
fn with_handles(
    program: &Program,
    heads: &[Head],
    options: &CheckOptions,
) -> Result<(Handles, Vec<CheckOptions>), Vec<Diagnostic>> {
    if options.mpi.is_none() {
        return Ok((Handles::default(), vec![options.clone(); heads.len()]));
    }
    let handles = Handles::of(program);
    let completed = heads.iter().map(|head| handles::complete(program, head, &handles, options).map_err(|d| vec![*d]));
    let completed = completed.collect::<Result<Vec<_>, _>>()?;
    Ok((handles, completed))
}

/// Judges the head of a driver, by its number, at all points; the point is the one that the judgement is of.
fn judge_all(
    driver: &driver::Driver,
    index: usize,
    runs: &[Runs<'_>],
    options: &CheckOptions,
) -> (Point, outcome::Judged) {
    let points = options.points.as_slice();
    let of_head: Vec<(&Flags, &run::Run)> = runs.iter().map(|(flags, _, runs)| (flags, &runs[index])).collect();
    let first = points.first().copied().unwrap_or_default();
    let mut report = match outcome::judge(driver, &of_head) {
        Ok(report) => HeadReport { point: first, ..report },
        Err(d) => return (first, Err(d)),
    };
    if report.passed
        && let Some(threads) = options.parallel.threads
    {
        let of_threads = runs.iter().find(|r| r.0.variant == Variant::Optimised).or(runs.last());
        if let Some(found) = of_threads.and_then(|(_, programs, _)| with_threads(driver, index, programs, threads)) {
            return (first, found);
        }
        let counts = ParallelRuns::counts(threads);
        let list: Vec<String> = counts.iter().map(ToString::to_string).collect();
        report.notes.push(format!("the same with {} threads, {} runs each", list.join(", "), ParallelRuns::RUNS));
    }
    if !report.passed || points.len() < 2 {
        return (first, Ok(report));
    }
    if of_head.iter().any(|(_, run)| run.seconds > Point::LONGEST as f64) {
        report.notes.push(format!("verified for one set of values: a run takes longer than {} s", Point::LONGEST));
        return (first, Ok(report));
    }
    let mut judged = false;
    let longest = of_head.iter().map(|(_, run)| run.seconds).fold(0.0, f64::max);
    for &point in points[1..].iter().filter(|p| p.is_for(driver.bare, driver.shifted, longest)) {
        let Some((flags, programs, _)) = runs.last() else { break };
        match programs.check(index, point).map(|run| outcome::judge_at(point, driver, &run, flags)) {
            Ok(Some(Ok(found))) if !found.is_wrong() => judged = true,
            Ok(Some(found)) => return (point, found),
            Ok(None) => {}
            Err(d) => return (point, Err(d)),
        }
    }
    if !judged {
        report.notes.push("verified for one set of values: with others the primal gives no numbers".to_string());
    }
    (first, Ok(report))
}

/// Runs a driver with several numbers of threads, its derivatives many times: what they show, where that is wrong.
fn with_threads(
    driver: &driver::Driver,
    index: usize,
    programs: &build::Programs<'_>,
    threads: usize,
) -> Option<outcome::Judged> {
    for count in ParallelRuns::counts(threads) {
        match programs.check_with(index, count).map(|run| outcome::judge_with(count, driver, &run)) {
            Ok(found) if found.as_ref().is_ok_and(|r| r.passed) => {}
            Ok(found) => return Some(found),
            Err(d) => return Some(Err(d)),
        }
    }
    None
}

/// The programs of a variant and the runs of all drivers.
type Runs<'a> = (Flags, build::Programs<'a>, Vec<run::Run>);

/// The runs of all drivers in all variants, which are built and run at the same time.
fn run_all<'a>(
    build: &'a build::Build<'_>,
    drivers: &[driver::Driver],
    options: &CheckOptions,
    point: Point,
) -> Result<Vec<Runs<'a>>, Box<Diagnostic>> {
    let variants = match options.variants.is_empty() {
        true => Variant::ALL.map(|v| Flags { variant: v, flags: v.flags(&options.fc) }).to_vec(),
        false => options.variants.clone(),
    };
    let one = |flags: &Flags| {
        let programs = build.compile(flags)?;
        let runs: Result<Vec<run::Run>, Box<Diagnostic>> =
            (0..drivers.len()).map(|i| programs.check(i, point)).collect();
        Ok((flags.clone(), programs, runs?))
    };
    let results: Vec<Result<_, Box<Diagnostic>>> = std::thread::scope(|scope| {
        let started: Vec<_> = variants.iter().map(|flags| scope.spawn(|| one(flags))).collect();
        started.into_iter().map(|t| t.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    results.into_iter().collect()
}

/// The names that `--size` and `--value` give and that no head has, each with a message.
pub fn unknown_names(program: &Program, heads: &[Head], options: &CheckOptions) -> Vec<(String, Diagnostic)> {
    // A head without driver is refused elsewhere.
    let slots: Vec<Slots<'_>> = heads.iter().filter_map(|h| Slots::of(program, h, options).ok()).collect();
    if slots.len() < heads.len() {
        return Vec::new();
    }
    let known: BTreeSet<String> = slots.iter().flat_map(Slots::settable).collect();
    // Trip counts are for plans.
    let trips = trip_counts(program);
    let sizes = options.generate.sizes.iter().map(|(n, _)| ("--size", n));
    let sizes = sizes.filter(|(_, n)| !trips.contains(&n.to_ascii_lowercase()));
    let values = options.values.iter().map(|(n, _)| ("--value", n));
    let refuse = |(option, name): (&str, &String)| {
        let message = format!("`{option} {name}=...` names nothing that a driver sets");
        let names = known.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        (
            name.clone(),
            Diagnostic::global(Code::Configuration, message)
                .help(format!("the names are {names}, and those of module variables: `module::name`")),
        )
    };
    sizes.chain(values).filter(|(_, n)| !known.contains(&n.to_ascii_lowercase())).map(refuse).collect()
}

/// A refusal to write a driver.
fn no_driver(head: &Head, program: &Program, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::CheckDriver, program[head.proc].head, message)
}
