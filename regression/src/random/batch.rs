//! Differentiates many programs, compiles them into one executable, and lets it judge them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use costate_adjoint::optimise::Pass;
use costate_adjoint::pipeline::{Differentiated, Layout, Mode, Options, extend_with_both};
use costate_adjoint::plan::{CallChoice, Choices, ValueChoice};
use costate_grammar::diag::Diagnostic;

use super::program::{HeadKind, RandomProgram};
use crate::chain;
use crate::fortran::Fortran;

const DRIVER: &str = include_str!("driver.f90");
/// What the driver knows of the processes that run it: it is one,
const RANK: &str = include_str!("driver_rank.f90");
/// or those of MPI.
const RANKS: &str = include_str!("driver_ranks.f90");

/// Flags that programs are compiled with to find what goes wrong at run time,
pub const CHECKED: &[&str] = &[
    "-O0",
    "-w",
    "-ffree-line-length-none",
    "-finit-real=snan",
    "-finit-integer=-9999",
    "-fcheck=bounds,do,mem,pointer",
];
/// and to find what is right by luck.
pub const OPTIMISED: &[&str] =
    &["-O3", "-w", "-ffree-line-length-none", "-finit-real=snan", "-fopenmp", "-foffload=disable"];
/// Flags of programs whose loops are shared out.
pub const SHARED: &[&str] =
    &["-O1", "-w", "-ffree-line-length-none", "-finit-real=snan", "-fopenmp", "-foffload=disable"];

/// What became of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Both modes are right.
    Right,
    /// The primal has no usable values.
    Skipped,
    /// The program was refused.
    Refused(String),
    /// The same, and one of its constructs may be.
    Declined(String),
    /// The derivatives are wrong, or the generated code doesn't compile or run.
    Wrong(String),
}

impl Verdict {
    /// It was found at this level of optimisation.
    pub fn level_is(&self, level: &str) -> bool {
        matches!(self, Verdict::Wrong(text) if text.ends_with(&format!("({level})")))
    }

    /// The kind of failure, without figures: a smaller program must fail in the same way.
    pub fn kind(&self) -> Option<String> {
        match self {
            Verdict::Right | Verdict::Skipped | Verdict::Declined(_) => None,
            Verdict::Refused(text) => Some(format!("refused {}", text.split(" at ").next().unwrap_or_default())),
            Verdict::Wrong(text) => {
                Some(text.split(|c: char| c.is_ascii_digit() || c == ':').next().unwrap_or_default().trim().to_string())
            }
        }
    }
}

/// A program with its generated code.
struct Ready {
    module: String,
    text: String,
    tangent: String,
    adjoint: String,
    /// Single precision is on the way.
    coarse: bool,
    /// How the adjoint gives the primal's outputs: a constant of the driver.
    outputs: &'static str,
    /// The text is that of the module with its derivatives added.
    extended: bool,
}

/// Generates both modes; a panic of the generator is a failure like any other.
fn generate(program: &RandomProgram, module: &str) -> Result<Ready, Verdict> {
    let text = program.print(module);
    let extended = extended(&text);
    let made =
        std::panic::catch_unwind(
            || {
                if extended { in_one(&text, module, program) } else { both(&text, module, program) }
            },
        );
    match made {
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_string()));
            Err(Verdict::Wrong(format!("panic: {}", text.unwrap_or_default())))
        }
        Ok(Err(refusal)) => {
            let foreseen = |line: &str| program.refused.iter().any(|c| line.starts_with(c));
            let declined = refusal.lines().all(foreseen);
            Err(if declined { Verdict::Declined(refusal) } else { Verdict::Refused(refusal) })
        }
        Ok(Ok((tangent, adjoint))) => {
            let coarse = tangent.precisions.iter().any(|head| !head.is_empty());
            let (tangent, adjoint) = (all(&tangent), all(&adjoint));
            let (text, tangent) = if extended { (tangent, String::new()) } else { (text, tangent) };
            let options = options(program);
            let outputs = match (options.keep_primal, options.allow_undo) {
                (false, _) => "dropped",
                (true, false) => "kept",
                (true, true) => "undone",
            };
            Ok(Ready { module: module.to_string(), text, tangent, adjoint, coarse, outputs, extended })
        }
    }
}

fn all(d: &Differentiated) -> String {
    d.files.iter().map(|f| f.text.clone()).collect::<Vec<_>>().join("\n")
}

/// Real variables that procedures keep, and those that other modules may not change, are reached in their module only, and
/// so are private components.
fn extended(text: &str) -> bool {
    ["real(8), save ::", "protected ::", ", private ::"].iter().any(|word| text.contains(word))
}

/// Every third program has its increments undone, every other one its calls split, half of them values recomputed
/// where that is possible, every fifth one, unless it undoes increments, compares what
/// is recomputed, and half of them keep the primal's outputs.
fn options(program: &RandomProgram) -> Options {
    let other_calls = program.seed.is_multiple_of(2).then_some(CallChoice::Split);
    let other_values = (program.seed / 2).is_multiple_of(2).then_some(ValueChoice::Recompute);
    let choices = Choices { other_calls, other_values, ..Choices::default() };
    // What is undone is what it was up to rounding, and comparisons, which schedules do of themselves, are to the last bit.
    let allow_undo = program.seed.is_multiple_of(3) && !program.print("m").contains("!$ad checkpoint");
    let verify = program.seed.is_multiple_of(5) && !allow_undo;
    let keep_primal = (program.seed / 4).is_multiple_of(2);
    Options { allow_undo, verify, keep_primal, choices, passes: program.passes, ..crate::checked() }
}

fn both(text: &str, module: &str, program: &RandomProgram) -> Result<(Differentiated, Differentiated), String> {
    let loaded = chain::loaded(&format!("{module}.f90"), text).map_err(|(s, d)| chain::describe(&s, &d))?;
    let told = |d: Vec<Diagnostic>| chain::describe(&loaded.sources, &d);
    let heads = chain::heads(&loaded.program, &program.head(module)).map_err(told)?;
    let tangent = loaded.differentiate(&heads, Mode::Tangent).map_err(told)?;
    let adjoint = loaded.differentiate_with(&heads, Mode::Adjoint, &options(program)).map_err(told)?;
    Ok((tangent, adjoint))
}

/// The same with the derivatives added to the modules, tangent and adjoint to one copy: the files of the first are these.
fn in_one(text: &str, module: &str, program: &RandomProgram) -> Result<(Differentiated, Differentiated), String> {
    let loaded = chain::loaded(&format!("{module}.f90"), text).map_err(|(s, d)| chain::describe(&s, &d))?;
    let told = |d: Vec<Diagnostic>| chain::describe(&loaded.sources, &d);
    let heads = chain::heads(&loaded.program, &program.head(module)).map_err(told)?;
    let options = Options { layout: Layout::Extend, ..options(program) };
    let (p, s, f) = (&loaded.program, &loaded.sources, &loaded.files);
    let (files, [tangent, adjoint]) = extend_with_both(p, s, f, &heads, &options, true).map_err(told)?;
    Ok((Differentiated { files, ..tangent }, Differentiated { files: Vec::new(), ..adjoint }))
}

/// The text of a program and its derivatives, for people.
pub fn show(program: &RandomProgram) -> String {
    let mut head = format!("--head '{}'", program.head("m"));
    if options(program).allow_undo {
        head.push_str(" --allow-undo");
    }
    if options(program).choices.other_calls.is_some() {
        head.push_str(" --calls split");
    }
    if options(program).keep_primal {
        head.push_str(" --keep-primal");
    }
    for pass in Pass::ALL.into_iter().filter(|p| !program.passes.has(*p)) {
        head.push_str(&format!(" --without-pass {pass}"));
    }
    let text = program.print("m");
    if extended(&text) {
        return format!("! {head} --layout extend\n{text}");
    }
    match std::panic::catch_unwind(|| both(&text, "m", program)) {
        Ok(Ok((t, a))) => {
            format!("! {head}\n{text}\n! ---- tangent\n{}\n! ---- adjoint\n{}", all(&t), all(&a))
        }
        Ok(Err(_)) | Err(_) => format!("! {head}\n{text}"),
    }
}

/// What stands in the way of generating a program's derivatives, if anything.
pub fn obstacle(program: &RandomProgram) -> Option<Verdict> {
    generate(program, "m").err().filter(|v| v.kind().is_some())
}

/// The passes without which a program that fails doesn't.
pub fn to_blame(compilers: &[&Fortran], program: &RandomProgram) -> Vec<Pass> {
    let on: Vec<Pass> = Pass::ALL.into_iter().filter(|p| program.passes.has(*p)).collect();
    let without = |p: &Pass| RandomProgram { passes: program.passes.without(*p), ..program.clone() };
    let verdicts = judge(compilers, &on.iter().map(without).collect::<Vec<_>>());
    on.into_iter().zip(verdicts).filter(|(_, v)| *v == Verdict::Right).map(|(p, _)| p).collect()
}

/// A verdict for each program, which is compiled with each of some compilers.
pub fn judge(compilers: &[&Fortran], programs: &[RandomProgram]) -> Vec<Verdict> {
    let mut verdicts: Vec<Option<Verdict>> = vec![None; programs.len()];
    let mut ready = Vec::new();
    for (i, p) in programs.iter().enumerate() {
        match generate(p, &format!("m{i:04}")) {
            Ok(r) => ready.push((i, p.kind, r)),
            Err(v) => verdicts[i] = Some(v),
        }
    }
    for fortran in compilers {
        let folder =
            tempfile::Builder::new().prefix("costate-random-").tempdir().expect("a temporary folder can be made");
        let group: Vec<&(usize, HeadKind, Ready)> =
            ready.iter().filter(|(i, ..)| verdicts[*i].as_ref().is_none_or(|v| v.kind().is_none())).collect();
        let mut now = vec![None; programs.len()];
        build_and_run(fortran, &group, folder.path(), &mut now);
        for (i, ..) in group {
            let v = now[*i].take().unwrap_or_else(|| Verdict::Wrong("no verdict".into()));
            verdicts[*i] = Some(match v {
                Verdict::Wrong(text) => Verdict::Wrong(format!("{text} ({})", fortran.level())),
                v => v,
            });
        }
    }
    for (i, kind, r) in ready {
        let no_number = |v: &Verdict| matches!(v, Verdict::Wrong(text) if text.to_ascii_lowercase().contains("nan"));
        if verdicts[i].as_ref().is_some_and(no_number) && overflows((i, kind, r)) {
            verdicts[i] = Some(Verdict::Skipped);
        }
    }
    verdicts.into_iter().map(|v| v.unwrap_or(Verdict::Skipped)).collect()
}

/// True for a program that computes infinite values: its outputs may not use them, derivatives multiply them by zero.
fn overflows(program: (usize, HeadKind, Ready)) -> bool {
    let flags: Vec<&str> = CHECKED.iter().copied().chain(["-ffpe-trap=overflow"]).collect();
    let folder = tempfile::Builder::new().prefix("costate-random-").tempdir().expect("a temporary folder can be made");
    let mut verdicts = vec![None; program.0 + 1];
    build_and_run(&Fortran::new(&flags), &[&program], folder.path(), &mut verdicts);
    matches!(verdicts.pop().flatten(), Some(Verdict::Wrong(text)) if text.starts_with("primal died"))
}

/// Builds a group; where the compiler refuses it, without those that it names.
fn build_and_run(
    fortran: &Fortran,
    group: &[&(usize, HeadKind, Ready)],
    folder: &Path,
    verdicts: &mut [Option<Verdict>],
) {
    if group.is_empty() {
        return;
    }
    let Err(text) = compile(fortran, group, folder) else {
        return run(fortran, group, folder, verdicts);
    };
    if group.len() == 1 {
        let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).take(12).collect();
        let primal = fortran.objects(folder, &[("primal.f90", &group[0].2.text)]);
        let what = if primal.is_ok() { "not compiled" } else { "primal not compiled" };
        let text = format!("{what}: {}", lines.join("\n"));
        // What is put between the statements of a construct may jump out of a region, which isn't Fortran with OpenMP.
        let jumps = primal.is_err() && text.contains("OpenMP structured block");
        verdicts[group[0].0] = Some(if jumps { Verdict::Skipped } else { Verdict::Wrong(text) });
        return;
    }
    let named = named(&text, group);
    let (bad, good): (Vec<_>, Vec<_>) = group.iter().partition(|g| named.contains(&g.0));
    if bad.is_empty() || good.is_empty() {
        let (a, b) = group.split_at(group.len() / 2);
        build_and_run(fortran, a, folder, verdicts);
        build_and_run(fortran, b, folder, verdicts);
    } else {
        bad.into_iter().for_each(|g| build_and_run(fortran, &[g], folder, verdicts));
        build_and_run(fortran, &good, folder, verdicts);
    }
}

/// The programs of a group that errors of the compiler point to.
fn named(errors: &str, group: &[&(usize, HeadKind, Ready)]) -> BTreeSet<usize> {
    let lines = errors.lines().filter_map(|l| l.strip_prefix("all.f90:")?.split(':').next()?.parse::<usize>().ok());
    let mut ends = Vec::new();
    let mut last = 0;
    for (i, _, r) in group {
        last += [&r.text, &r.tangent, &r.adjoint].map(|t| t.lines().count()).iter().sum::<usize>();
        ends.push((last, *i));
    }
    lines.filter_map(|line| ends.iter().find(|(end, _)| line <= *end).map(|(_, i)| *i)).collect()
}

fn compile(fortran: &Fortran, group: &[&(usize, HeadKind, Ready)], folder: &Path) -> Result<(), String> {
    let mut text = String::new();
    let mut calls = String::new();
    let mut uses = String::new();
    for (i, kind, r) in group {
        text.push_str(&r.text);
        text.push_str(&r.tangent);
        text.push_str(&r.adjoint);
        let m = &r.module;
        let (of_tangent, of_adjoint) =
            if r.extended { (m.clone(), m.clone()) } else { (format!("{m}_d"), format!("{m}_b")) };
        writeln!(
            uses,
            "  use {m}, only: {m}_f => f\n  use {of_tangent}, only: {m}_t => f_d\n  use {of_adjoint}, only: {m}_a => f_b"
        )
        .unwrap_or_default();
        let coarse = if r.coarse { ".true." } else { ".false." };
        let outputs = r.outputs;
        let kind = match kind {
            HeadKind::Plain => "plain",
            HeadKind::Update => "update",
            HeadKind::Both => "both",
        };
        writeln!(calls, "  if (first <= {i}) call one({i}, {kind}, {coarse}, {outputs}, {m}_f, {m}_t, {m}_a)")
            .unwrap_or_default();
    }
    text.push_str(if fortran.launcher().is_some() { RANKS } else { RANK });
    text.push_str(DRIVER);
    let start = "  character(16) :: argument\n  integer :: first\n  call start_ranks()\n  call get_command_argument(1, argument)\n  read (argument, *) first\n";
    write!(text, "program all\n  use driver_ranks, only: end_ranks, start_ranks\n  use driver_support\n{uses}  implicit none\n{start}{calls}  call end_ranks()\nend program all\n")
        .unwrap_or_default();
    fortran.program(folder, &[], &[("all.f90", &text)]).map(|_| ())
}

/// Runs a group; where it dies, the program that was being judged is to blame, and the rest is run again.
fn run(fortran: &Fortran, group: &[&(usize, HeadKind, Ready)], folder: &Path, verdicts: &mut [Option<Verdict>]) {
    // Where adjoints compare what they recompute, it is to be the same: to the last bit, which functions of vectors
    // aren't where the first loop takes several values at once and the second one takes one.
    let verify = if fortran.level() == "-O0" { "1" } else { "0" };
    let mut next = 0;
    while next < group.len() {
        let program = fortran.run_words(&folder.join("program"));
        let mut command = Command::new("timeout");
        if let Some(launcher) = fortran.launcher() {
            launcher.prepare(&mut command);
        }
        let output = command
            .arg(if fortran.launcher().is_some() { "90" } else { "30" })
            .args(program)
            .arg(group[next].0.to_string())
            .current_dir(folder)
            // Memory that is allocated holds huge numbers until it is defined.
            .env("MALLOC_PERTURB_", "128")
            .env("COSTATE_VERIFY", verify)
            // Within the limit, so that it is told who waits for whom.
            .env("COSTATE_MPI_TIMEOUT", "60")
            .env("OMP_NUM_THREADS", "3")
            .env("OMP_WAIT_POLICY", "passive")
            .stdin(Stdio::null())
            .output()
            .expect("the programs can be run");
        let mut phase = String::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let mut words = line.splitn(2, ' ');
            let Some(i) = words.next().and_then(|w| w.parse::<usize>().ok()) else { continue };
            let Some(slot) = verdicts.get_mut(i) else { continue };
            let what = words.next().unwrap_or_default();
            if let Some(what) = what.strip_prefix("runs ") {
                phase = what.trim().to_string();
                continue;
            }
            *slot = Some(if what.starts_with("right") {
                Verdict::Right
            } else if what.starts_with("skipped") {
                Verdict::Skipped
            } else {
                Verdict::Wrong(what.to_string())
            });
        }
        match (next..group.len()).find(|k| verdicts[group[*k].0].is_none()) {
            None => return,
            Some(k) => {
                let text = String::from_utf8_lossy(&output.stderr).into_owned();
                let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).take(3).collect();
                let how = if output.status.code() == Some(124) { "waits for ever" } else { "died" };
                verdicts[group[k].0] = Some(Verdict::Wrong(format!("{phase} {how}: {}", lines.join("; "))));
                next = k + 1;
            }
        }
    }
}
