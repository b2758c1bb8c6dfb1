//! Every program of `cases/`, differentiated in both modes and verified by numbers, or refused where it must be.
//!
//! Of eight one is compiled with `-O3`, one with `-O2`, two with `-O1`, as are those that take too long with more, and four with
//! `-O0`, which takes a third of the time of `-O1`. A quarter of all is run with run-time checks and other options too, with
//! one of two sets of these by turns. Where `COSTATE_EVERY` is set all are run with both, and with `-O3`. `COSTATE_CASE` names
//! part of the programs, to run with everything. `FC` is the compiler, and `COSTATE_FLAGS` are the flags that take the place of
//! each variant's: `FC=flang-22 COSTATE_FLAGS=-O3`, say. What a compiler is known to do wrong is said, and is no failure (see
//! `table/faults.rs`).

use crate::table::{Case, Expected, cases, faults, is_program};
use costate_adjoint::pipeline::{Layout, Options};
use costate_adjoint::plan::{CallChoice, Choices, ValueChoice};
use costate_adjoint::verify::{self, CheckOptions, Point, Variant};
use costate_grammar::form::Form;
use costate_grammar::intrinsics::Intrinsic;
use costate_regression::chain;
use costate_regression::fortran::{self, Fortran};
use rayon::prelude::*;

/// Checks cases that differ in their heads alone as `costate check` does; what went wrong, if anything.
fn run(
    together: &[Case],
    generate: Options,
    fortran: &Fortran,
    (variant, points): (Variant, &[Point]),
) -> Result<(), String> {
    let case = &together[0];
    let files = std::iter::once(&case.file).chain(case.with);
    let texts: Result<Vec<(String, String)>, String> = files
        .map(|name| {
            let path = chain::cases_folder().join(name);
            let text = std::fs::read_to_string(&path).map_err(|e| format!("{name} can't be read: {e}"))?;
            Ok((path.display().to_string(), text))
        })
        .collect();
    let (sources, read) = chain::load(&texts?);
    let outcome = read.and_then(|(files, program)| {
        let mut heads = Vec::new();
        for case in together {
            heads.extend(chain::heads(&program, case.head)?);
        }
        let includes = vec![format!("-I{}", chain::cases_folder().display())];
        let sizes = case.sizes.iter().map(|(n, v)| ((*n).to_string(), v.to_vec())).collect();
        let values = case.values.iter().map(|(n, v)| ((*n).to_string(), (*v).to_string())).collect();
        let own = fortran.check_options(variant);
        let link = case.link.iter().map(|f| (*f).to_string());
        let options = CheckOptions {
            ldflags: own.ldflags.iter().cloned().chain(link).collect(),
            cpp_flags: includes,
            values,
            setup: case.setup.iter().map(|s| (*s).to_string()).collect(),
            generate: Options { sizes, ..generate },
            points: points.to_vec(),
            parallel: case.parallel,
            ..own
        };
        verify::check(&program, &sources, &files, &heads, &options)
    });
    match (outcome, &case.expected) {
        (Ok(report), Expected::Right) if report.passed() => Ok(()),
        (Ok(report), Expected::Right) => Err(format!("wrong derivatives:\n{report}")),
        (Ok(_), Expected::Refused(code, line)) => Err(format!("not refused with {} at {line}", code.as_str())),
        (Err(found), Expected::Refused(code, line)) => {
            let hit = found.iter().any(|d| d.code == *code && chain::line_of(&sources, d) == *line);
            let helped = found.iter().all(|d| d.reason.is_some() && d.help.is_some());
            match (hit, helped) {
                (true, true) => Ok(()),
                (true, false) => {
                    Err(format!("a refusal without reason or help:\n{}", chain::describe(&sources, &found)))
                }
                (false, _) => Err(format!(
                    "refused, but not with {} at {line}:\n{}",
                    code.as_str(),
                    chain::describe(&sources, &found)
                )),
            }
        }
        (Err(found), Expected::Right) => Err(format!("refused:\n{}", chain::describe(&sources, &found))),
    }
}

/// Other options of the same derivatives need no more than one point.
fn all(cases: &[Case], generate: impl Fn(&Case) -> Options + Sync, (variant, points): (Variant, &[Point])) {
    all_with(&compiler(variant), cases, generate, (variant, points));
}

fn compiler(variant: Variant) -> Fortran {
    let flags = fortran::flags(variant);
    Fortran::new(&flags.iter().map(String::as_str).collect::<Vec<_>>())
}

fn all_with(
    fortran: &Fortran,
    cases: &[Case],
    generate: impl Fn(&Case) -> Options + Sync,
    (variant, points): (Variant, &[Point]),
) {
    let version = fortran::version();
    let groups: Vec<&[Case]> = cases.chunk_by(Case::goes_with).collect();
    let failures: Vec<String> = groups
        .par_iter()
        .filter_map(|group| {
            let heads: Vec<&str> = group.iter().map(|c| c.head).collect();
            let failure = run(group, generate(&group[0]), fortran, (variant, points)).err()?;
            if let Some(fault) = faults::known(&version, fortran.level(), group[0].file) {
                println!("known fault of the compiler: {}: {}", group[0].file, fault.what);
                return None;
            }
            Some(format!("{} {}: {failure}", group[0].file, heads.join(" ")))
        })
        .collect();
    assert!(failures.is_empty(), "{} of {} cases fail\n\n{}", failures.len(), cases.len(), failures.join("\n\n"));
}

/// The cases that `COSTATE_CASE` names, or all.
fn chosen() -> impl Iterator<Item = Case> {
    let filter = std::env::var("COSTATE_CASE").unwrap_or_default();
    cases().into_iter().filter(move |c| c.file.contains(&filter))
}

/// Cases that run with everything.
fn every() -> bool {
    std::env::var_os("COSTATE_EVERY").is_some() || std::env::var_os("COSTATE_CASE").is_some()
}

/// Those that are also run with run-time checks and the first or the second set of options.
fn strictly(set: usize) -> Vec<Case> {
    let right: Vec<Case> = chosen().filter(|c| c.strict && matches!(c.expected, Expected::Right)).collect();
    let groups = right.chunk_by(Case::goes_with).enumerate();
    groups.filter(|(i, _)| every() || i % 8 == set).flat_map(|(_, group)| group.to_vec()).collect()
}

/// The options that a case asks for.
fn asked(case: &Case) -> Options {
    let other_calls = case.split.then_some(CallChoice::Split);
    let choices = Choices { other_calls, ..Choices::default() };
    Options { layout: case.layout, memory: case.memory, choices, ..costate_regression::checked() }
}

/// Programs whose derivatives GNU Fortran optimises for many seconds.
const LONG: &[&str] = &[
    "component_bounds.f90",
    "copied_objects.f90",
    "copies_of_nested_states.f90",
    "elemental_functions_of_objects.f90",
    "growing_lists_of_objects.f90",
    "lapack_inverse.f90",
    "lists_changed_in_calls.f90",
    "lists_of_objects.f90",
    "matmul_bounds.f90",
    "matmul_complex.f90",
    "matmul_factors.f90",
    "matmul_memory.f90",
    "objects_changed_in_calls.f90",
    "online_loops.f90",
    "optional_handed_on.f90",
    "step_columns.f90",
    "time_loops.f90",
];

#[test]
fn every_case_is_right_or_refused() {
    let chosen: Vec<Case> = chosen().collect();
    // Compilers take several times as long with `-O3`, and models are compiled with any of these.
    let level = |i: usize, group: &[Case]| match () {
        () if every() => "-O3",
        () if LONG.contains(&group[0].file) => "-O1",
        () if i.is_multiple_of(8) => "-O3",
        () if i.is_multiple_of(4) => "-O2",
        () if i % 4 == 1 => "-O1",
        () => "-O0",
    };
    let usual = fortran::flags(Variant::Optimised);
    let compilers = ["-O3", "-O2", "-O1", "-O0"].map(|asked_for| {
        let flags: Vec<&str> = usual.iter().map(|f| if f == "-O3" { asked_for } else { f }).collect();
        (asked_for, Fortran::new(&flags))
    });
    // All of them are there while any is used, so that the run-time library is compiled once.
    for (asked_for, fortran) in &compilers {
        let groups = chosen.chunk_by(Case::goes_with).enumerate();
        let part: Vec<Case> =
            groups.filter(|(i, g)| level(*i, g) == *asked_for).flat_map(|(_, group)| group.to_vec()).collect();
        all_with(fortran, &part, asked, (Variant::Optimised, &[Point::Asked]));
    }
}

/// Procedures that are added to the user's own modules do the same as those in modules of their own, and calls that are
/// reversed in two halves with a record the same as those whose procedure runs again.
#[test]
fn right_cases_extended_with_split_calls_read_nothing_undefined() {
    let split = Choices { other_calls: Some(CallChoice::Split), ..Choices::default() };
    let extended = |case: &Case| Options { layout: Layout::Extend, choices: split.clone(), ..asked(case) };
    all(&strictly(0), extended, (Variant::Checked, &Point::ALL[..6]));
}

/// The choices that change neither names nor interfaces, together.
#[test]
fn right_cases_in_fixed_form_that_keep_the_primal_undo_and_recompute_read_nothing_undefined() {
    let fixed = |case: &Case| Options {
        output_form: Some(Form::Fixed),
        keep_primal: true,
        allow_undo: true,
        choices: Choices { other_values: Some(ValueChoice::Recompute), ..asked(case).choices },
        ..asked(case)
    };
    all(&strictly(1), fixed, (Variant::Checked, &Point::ALL[..3]));
}

/// Where a device has memory of its own, what generated code forgets to bring there or back shows. GNU Fortran's library is
/// replaced for that, so that no device is needed; whoever has one runs `regression/gpu`.
#[test]
fn cases_for_devices_are_right_with_a_memory_of_their_own() {
    if !fortran::version().starts_with("GNU Fortran") {
        println!("not run: the emulated device is one for GNU Fortran");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let fortran = compiler(Variant::Optimised).with_separate_memory(folder.path());
    let on_device = |c: &Case| c.parallel.acc && matches!(c.expected, Expected::Right);
    let cases: Vec<Case> = chosen().filter(on_device).collect();
    let split = |case: &Case| {
        let choices = Choices { other_calls: Some(CallChoice::Split), ..Choices::default() };
        Options { choices, ..asked(case) }
    };
    all_with(&fortran, &cases, asked, (Variant::Optimised, &[Point::Asked]));
    let groups = cases.chunk_by(Case::goes_with).enumerate();
    let cases: Vec<Case> =
        groups.filter(|(i, _)| every() || i.is_multiple_of(4)).flat_map(|(_, group)| group.to_vec()).collect();
    all_with(&fortran, &cases, split, (Variant::Optimised, &[Point::Asked]));
}

#[test]
fn every_program_is_a_case() {
    let known = cases();
    let folder = std::fs::read_dir(chain::cases_folder()).expect("the folder of cases can be read");
    let names = folder.filter_map(|e| e.ok()?.file_name().into_string().ok()).filter(|n| is_program(n));
    let missing: Vec<String> =
        names.filter(|n| !known.iter().any(|c| c.file == n || c.with.contains(&n.as_str()))).collect();
    assert!(missing.is_empty(), "neither in the table nor with a head of their own: {missing:?}");
}

/// The table of intrinsics is walked: some case refers to each of them, but for the helpers of generated code.
#[test]
fn every_intrinsic_is_in_a_case() {
    let folder = std::fs::read_dir(chain::cases_folder()).expect("the folder of cases can be read");
    let mut called = std::collections::HashSet::new();
    for entry in folder.flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap_or_default().to_ascii_lowercase();
        for code in text.lines().map(|l| l.split('!').next().unwrap_or_default()) {
            for (at, _) in code.match_indices('(') {
                let name = code[..at].trim_end().rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next();
                called.extend(name.map(String::from));
            }
        }
    }
    let helper = |i: &Intrinsic| i.name().starts_with("costate_");
    let missing: Vec<&str> =
        Intrinsic::ALL.iter().filter(|i| !helper(i) && !called.contains(i.name())).map(|i| i.name()).collect();
    assert!(missing.is_empty(), "no case refers to {missing:?}");
}
