//! Every program of `cases/`, differentiated in both modes and verified by numbers, or refused where it must be.

mod table;

use std::path::PathBuf;

use costate_adjoint::pipeline::{Layout, Options};
use costate_adjoint::plan::{CallChoice, Choices, ValueChoice};
use costate_adjoint::verify::{self, CheckOptions};
use costate_grammar::form::Form;
use costate_regression::chain;
use costate_regression::fortran::{self, Fortran};
use rayon::prelude::*;
use table::{CASES, Case, Expected};

/// Flags of the strict build: run-time checks, and undefined reals that trap when they are used.
const STRICT: &[&str] = &["-O0", "-g", "-fcheck=all", "-finit-real=snan", "-ffpe-trap=invalid", "-finit-derived"];

/// Another compiler has other flags for run-time checks.
fn strict() -> &'static [&'static str] {
    if fortran::compiler().contains("gfortran") { STRICT } else { &["-O0"] }
}

/// Checks a case as `costate check` does; what went wrong, if anything.
fn run(case: &Case, generate: Options, fortran: &Fortran) -> Result<(), String> {
    let path = chain::cases_folder().join(case.file);
    let text = std::fs::read_to_string(&path).map_err(|e| format!("can't be read: {e}"))?;
    let (sources, read) = chain::load(&[(path.display().to_string(), text)]);
    let outcome = read.and_then(|(files, program)| {
        let heads = chain::heads(&program, case.head)?;
        let includes = vec![format!("-I{}", chain::cases_folder().display())];
        let sizes = case.sizes.iter().map(|(n, v)| ((*n).to_string(), v.to_vec())).collect();
        let values = case.values.iter().map(|(n, v)| ((*n).to_string(), (*v).to_string())).collect();
        let options = CheckOptions {
            cpp_flags: includes,
            values,
            setup: case.setup.iter().map(|s| (*s).to_string()).collect(),
            generate: Options { sizes, ..generate },
            ..fortran.check_options()
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

fn all(cases: &[&Case], generate: impl Fn(&Case) -> Options + Sync, flags: &[&str]) {
    let fortran = Fortran::new(flags);
    let failures: Vec<String> = cases
        .par_iter()
        .filter_map(|case| {
            run(case, generate(case), &fortran).err().map(|e| format!("{} {}: {e}", case.file, case.head))
        })
        .collect();
    assert!(failures.is_empty(), "{} of {} cases fail\n\n{}", failures.len(), cases.len(), failures.join("\n\n"));
}

/// The cases that `COSTATE_CASE` names, or all.
fn chosen() -> impl Iterator<Item = &'static Case> {
    let filter = std::env::var("COSTATE_CASE").unwrap_or_default();
    CASES.iter().filter(move |c| c.file.contains(&filter))
}

fn is_right(case: &&Case) -> bool {
    matches!(case.expected, Expected::Right)
}

fn with_layout(layout: Layout) -> Options {
    Options { layout, ..Options::default() }
}

#[test]
fn every_case_is_right_or_refused() {
    all(&chosen().collect::<Vec<_>>(), |case| with_layout(case.layout), &["-O1"]);
}

/// Procedures that are added to the user's own modules do the same as those in modules of their own.
#[test]
fn right_cases_extended_read_nothing_undefined() {
    let cases: Vec<&Case> = chosen().filter(|c| c.strict).filter(is_right).collect();
    all(&cases, |_| with_layout(Layout::Extend), strict());
}

/// The choices that change neither names nor interfaces, together.
#[test]
fn right_cases_in_fixed_form_that_keep_the_primal_undo_and_recompute_read_nothing_undefined() {
    let fixed = |case: &Case| Options {
        output_form: Some(Form::Fixed),
        keep_primal: true,
        allow_undo: true,
        choices: Choices { other_values: Some(ValueChoice::Recompute), ..Choices::default() },
        ..with_layout(case.layout)
    };
    let cases: Vec<&Case> = chosen().filter(|c| c.strict).filter(is_right).collect();
    all(&cases, fixed, strict());
}

/// Calls that are reversed in two halves with a record give the same as those whose procedure runs again.
#[test]
fn right_cases_with_split_calls_read_nothing_undefined() {
    let split = |case: &Case| {
        let choices = Choices { other_calls: Some(CallChoice::Split), ..Choices::default() };
        Options { choices, ..with_layout(case.layout) }
    };
    let cases: Vec<&Case> = chosen().filter(|c| c.strict && calls(c)).filter(is_right).collect();
    all(&cases, split, strict());
}

/// True when a program has more procedures than its head.
fn calls(case: &&Case) -> bool {
    let text = std::fs::read_to_string(chain::cases_folder().join(case.file)).unwrap_or_default().to_ascii_lowercase();
    text.lines()
        .filter(|l| l.trim_start().starts_with("end subroutine") || l.trim_start().starts_with("end function"))
        .count()
        > 1
}

#[test]
fn every_program_is_in_the_table() {
    let folder = std::fs::read_dir(chain::cases_folder()).expect("the folder of cases can be read");
    let mut missing: Vec<PathBuf> = Vec::new();
    for entry in folder {
        let path = entry.expect("an entry can be read").path();
        let program = path.extension().is_some_and(|e| e == "f90" || e == "F90");
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        if program && !CASES.iter().any(|c| c.file == name) {
            missing.push(path);
        }
    }
    assert!(missing.is_empty(), "not in the table: {missing:?}");
}
