//! Generated code with one error each: `costate check --against` must find it.
//!
//! `COSTATE_MUTANTS` sets how many are tried, `COSTATE_SEED` where to begin. Errors that the check doesn't find are told
//! from those that change nothing: these give the same figures, to the last digit, for values of other seeds, of both
//! signs, with conditions that don't hold, and for sizes from two less to five more. At most one in a hundred of the
//! others may be missed. Statements that aren't reached with any of these are counted by themselves.
//!
//! The check also says where the error is: `COSTATE_NAMED` sets how many are tried in files that are given, `COSTATE_FAULTS`
//! how many in what is generated.

use crate::table::{Case, Expected, cases};
use costate_adjoint::pipeline::{Layout, Mode, Options};
use costate_adjoint::plan::{CallChoice, Choices};
use costate_adjoint::verify::{self, Against, CheckOptions, Point, Variant};
use costate_grammar::diag::Code;
use costate_grammar::ir::Base;
use costate_grammar::print::traced;
use costate_grammar::source::Span;
use costate_regression::chain::{self, Loaded};
use costate_regression::fortran::{self, Fortran};
use costate_regression::mutants::{self, Mutant};
use costate_regression::random::Rng;
use rayon::prelude::*;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// What a check says of a text in place of generated code.
#[derive(Clone, Debug, PartialEq)]
enum Said {
    Found,
    /// With these figures.
    Passed(String),
    /// The compiler refused it, or there is no check.
    Unusable,
}

/// What becomes of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Found,
    /// All figures are the same to the last digit, whatever the values and sizes.
    Equivalent,
    /// The statement isn't reached with the values that a check draws.
    Unreached,
    Missed,
    /// The check fails without the error, too: it says nothing.
    False,
}

struct Tried {
    case: Case,
    loaded: Loaded,
    options: Options,
}

impl Tried {
    fn new(case: &Case) -> Option<Tried> {
        let path = chain::cases_folder().join(case.file);
        let text = std::fs::read_to_string(&path).ok()?;
        let loaded = chain::loaded(&path.display().to_string(), &text).ok()?;
        let other_calls = case.split.then_some(CallChoice::Split);
        let sizes = case.sizes.iter().map(|(n, v)| ((*n).to_string(), v.to_vec())).collect();
        let choices = Choices { other_calls, ..Choices::default() };
        let options = Options { sizes, memory: case.memory, choices, ..costate_regression::checked() };
        Some(Tried { case: case.clone(), loaded, options })
    }

    /// The generated text, where it is one file.
    fn generated(&self, mode: Mode) -> Option<(String, String)> {
        let heads = chain::heads(&self.loaded.program, self.case.head).ok()?;
        let made = self.loaded.differentiate_with(&heads, mode, &self.options).ok()?;
        let [file] = &made.files[..] else { return None };
        Some((file.name.clone(), file.text.clone()))
    }

    /// The generated lines, with the lines of the user's statements that they were made from.
    fn traced(&self, mode: Mode) -> Option<Vec<(String, Option<usize>)>> {
        let heads = chain::heads(&self.loaded.program, self.case.head).ok()?;
        let options = Options { origins: true, ..self.options.clone() };
        let made = self.loaded.differentiate_with(&heads, mode, &options).ok()?;
        let [file] = &made.files[..] else { return None };
        let line = |s: Span| self.loaded.sources.file(s.file).line_col(s.start).0;
        Some(traced(&file.text).into_iter().map(|l| (l.text, l.origin.map(line))).collect())
    }

    /// What a check says as a user runs it.
    fn check(&self, fortran: &Fortran, variant: Variant, file: (&str, &str)) -> Said {
        self.checked(file, self.check_options(fortran, variant))
    }

    /// What a check says for other values and sizes.
    fn check_at(&self, fortran: &Fortran, file: (&str, &str), other: &Other) -> Said {
        let mut options = self.check_options(fortran, Variant::Checked);
        let Ok(heads) = chain::heads(&self.loaded.program, self.case.head) else { return Said::Unusable };
        let program = &self.loaded.program;
        let known = |name: &str| {
            let given = options.values.iter().map(|(n, _)| n).chain(options.generate.sizes.iter().map(|(n, _)| n));
            given.into_iter().any(|n| n.eq_ignore_ascii_case(name))
        };
        let (mut values, mut sizes) = (Vec::new(), Vec::new());
        for var in
            heads.iter().flat_map(|h| &program[h.proc].dummies).map(|&d| (program[d].name.to_string(), program.var(d)))
        {
            let (name, Some(var)) = var else { continue };
            match var.ty.base {
                _ if known(&name) => {}
                Base::Real if other.signed => values.push((name, "-0.9:0.6".to_string())),
                Base::Logical if other.signed => values.push((name, ".false.".to_string())),
                Base::Integer if var.dims.is_empty() => sizes.push((name, vec![8])),
                _ => {}
            }
        }
        options.values.extend(values);
        options.generate.sizes.extend(sizes);
        options.generate.sizes.iter_mut().flat_map(|(_, s)| s).for_each(|s| *s = (*s + other.more).max(0));
        self.checked(file, CheckOptions { seed: other.seed, points: vec![Point::Asked], ..options })
    }

    fn checked(&self, (name, text): (&str, &str), options: CheckOptions) -> Said {
        let Ok(heads) = chain::heads(&self.loaded.program, self.case.head) else { return Said::Unusable };
        let options =
            CheckOptions { against: vec![Against { path: name.to_string(), text: text.to_string() }], ..options };
        let Loaded { program, sources, files } = &self.loaded;
        match verify::check(program, sources, files, &heads, &options) {
            Err(list) if list.iter().any(|d| d.code == Code::CheckFailed) => Said::Found,
            Err(_) => Said::Unusable,
            Ok(report) if !report.passed() => Said::Found,
            Ok(report) => Said::Passed(format!("{:?}", report.heads)),
        }
    }

    /// What a check says where it finds something wrong.
    fn said(&self, options: &CheckOptions) -> Option<String> {
        let heads = chain::heads(&self.loaded.program, self.case.head).ok()?;
        let Loaded { program, sources, files } = &self.loaded;
        match verify::check(program, sources, files, &heads, options) {
            Err(list) => list.into_iter().find(|d| d.code == Code::CheckFailed).and_then(|d| d.reason),
            Ok(report) => report.heads.into_iter().find(|h| h.is_wrong()).map(|h| h.explanations.join("\n")),
        }
    }

    fn check_options(&self, fortran: &Fortran, variant: Variant) -> CheckOptions {
        let values = self.case.values.iter().map(|(n, v)| ((*n).to_string(), (*v).to_string())).collect();
        CheckOptions {
            cpp_flags: vec![format!("-I{}", chain::cases_folder().display())],
            values,
            setup: self.case.setup.iter().map(|s| (*s).to_string()).collect(),
            generate: self.options.clone(),
            time_limit: 20,
            search: false,
            ..fortran.check_options(variant)
        }
    }
}

/// A compiler with the flags of each variant.
struct Compilers {
    checked: Fortran,
    optimised: Fortran,
}

impl Compilers {
    fn new() -> Compilers {
        let of = |v: Variant| {
            let flags = v.flags(&fortran::compiler());
            Fortran::new(&flags.iter().map(String::as_str).collect::<Vec<_>>())
        };
        Compilers { checked: of(Variant::Checked), optimised: of(Variant::Optimised) }
    }
}

/// What becomes of a mutant; nothing of one that the compiler refuses.
fn fate(compilers: &Compilers, tried: &Tried, (name, text): (&str, &str), mutant: &Mutant) -> Option<Fate> {
    let Compilers { checked, optimised } = compilers;
    let with = |text: &str| tried.check(checked, Variant::Checked, (name, text));
    match with(&mutant.text) {
        Said::Found if matches!(with(text), Said::Passed(_)) => return Some(Fate::Found),
        Said::Found => return Some(Fate::False),
        Said::Unusable => return None,
        Said::Passed(_) => {}
    }
    if tried.check(optimised, Variant::Optimised, (name, &mutant.text)) == Said::Found {
        return Some(Fate::Found);
    }
    // Rounding errors apart, what a caller sees is the same for all values only if it is for these.
    let at = |text: &str, other: &Other| tried.check_at(checked, (name, text), other);
    let same = |other: &Other| match at(text, other) {
        Said::Passed(figures) => at(&mutant.text, other) == Said::Passed(figures),
        Said::Found | Said::Unusable => true,
    };
    if let Some(other) = OTHERS.iter().find(|o| !same(o)) {
        println!("missed, with other figures for {other:?}: {name}:{}", mutant.line);
        return Some(Fate::Missed);
    }
    let stopping = mutants::stopping(text, mutant);
    let unreached = |other: &Other| matches!(at(&stopping, other), Said::Passed(_) | Said::Unusable);
    Some(if OTHERS.iter().all(unreached) { Fate::Unreached } else { Fate::Equivalent })
}

/// Values and sizes that show whether an error changes anything.
#[derive(Debug)]
struct Other {
    seed: u64,
    /// How much larger sizes are.
    more: i64,
    /// Real numbers have both signs, and conditions don't hold.
    signed: bool,
}

/// Those that are tried.
const OTHERS: [Other; 7] = [
    Other { seed: 42, more: 0, signed: false },
    Other { seed: 44, more: 0, signed: false },
    Other { seed: 45, more: -2, signed: false },
    Other { seed: 46, more: 1, signed: false },
    Other { seed: 47, more: 5, signed: false },
    Other { seed: 48, more: 0, signed: true },
    Other { seed: 49, more: 2, signed: true },
];

/// The cases that errors are put into. Those that are given small sizes have loops that are left out on purpose: a check
/// with these sizes can't see what is wrong in them.
fn usable_cases() -> Vec<Case> {
    let filter = std::env::var("COSTATE_CASE").unwrap_or_default();
    let usable = |c: &Case| {
        c.file.contains(&filter)
            && matches!(c.expected, Expected::Right)
            && c.strict
            && c.with.is_empty()
            && c.layout == Layout::Separate
            && c.sizes.iter().all(|(_, extents)| extents.iter().all(|n| *n > 3))
    };
    cases().into_iter().filter(usable).collect()
}

#[test]
fn errors_in_generated_code_are_found() {
    let (count, base) = (number("COSTATE_MUTANTS", 14), number("COSTATE_SEED", 1));
    let list = usable_cases();
    let compilers = Compilers::new();
    let one = |seed: u64| {
        let mut rng = Rng::new(seed);
        for _ in 0..30 {
            let mode = *rng.pick(&[Mode::Tangent, Mode::Adjoint]);
            let Some(tried) = Tried::new(rng.pick(&list)) else { continue };
            let Some((name, text)) = tried.generated(mode) else { continue };
            let Some(mutant) = mutants::mutant(&text, &mut rng) else { continue };
            let Some(fate) = fate(&compilers, &tried, (&name, &text), &mutant) else { continue };
            let place = format!("{} {} in {name}:{}", tried.case.file, tried.case.head, mutant.line);
            return Some((fate, format!("seed {seed}: {fate:?}: {place}: `{}` for `{}`", mutant.after, mutant.before)));
        }
        None
    };
    let found: Vec<(Fate, String)> = (base..base + count).into_par_iter().filter_map(one).collect();
    let of = |fate: Fate| found.iter().filter(|(f, _)| *f == fate).map(|(_, t)| t.as_str()).collect::<Vec<_>>();
    let missed = [of(Fate::Missed), of(Fate::False)].concat();
    let (unreached, equivalent) = (of(Fate::Unreached), of(Fate::Equivalent));
    println!(
        "{} found, {} equivalent, {} unreached, {} missed\n{}",
        of(Fate::Found).len(),
        equivalent.len(),
        unreached.len(),
        missed.len(),
        [equivalent, unreached, missed.clone()].concat().join("\n")
    );
    let found = of(Fate::Found).len();
    assert!(found > 0 && missed.len() * 100 <= found + missed.len(), "missed:\n{}", missed.join("\n"));
}

/// Whether an error is where the check says that it is.
enum Named {
    Right,
    Wrong(String),
}

/// All but a part of the errors must be named.
fn judge(found: Vec<Named>, but: usize) {
    let wrong: Vec<&str> =
        found.iter().filter_map(|n| if let Named::Wrong(w) = n { Some(w.as_str()) } else { None }).collect();
    println!("{} of {} are named\n{}", found.len() - wrong.len(), found.len(), wrong.join("\n"));
    assert!(!found.is_empty() && wrong.len() * but <= found.len(), "named wrongly:\n{}", wrong.join("\n"));
}

/// An error in a file is named with its line, and with the user's statement that the line belongs to.
#[test]
fn the_line_of_an_error_in_a_file_is_named() {
    let (count, base) = (number("COSTATE_NAMED", 4), number("COSTATE_SEED", 1));
    let list = usable_cases();
    let Compilers { optimised, .. } = Compilers::new();
    let one = |seed: u64| {
        let mut rng = Rng::new(1_000_000 + seed);
        for _ in 0..30 {
            let mode = *rng.pick(&[Mode::Tangent, Mode::Adjoint]);
            let Some(tried) = Tried::new(rng.pick(&list)) else { continue };
            let Some((name, text)) = tried.generated(mode) else { continue };
            let Some(mutant) = mutants::mutant(&text, &mut rng) else { continue };
            let Some(lines) = tried.traced(mode) else { continue };
            assert!(lines.iter().map(|l| l.0.as_str()).eq(text.lines()), "{name} is another with origins");
            let against = vec![Against { path: name.clone(), text: mutant.text.clone() }];
            let options = tried.check_options(&optimised, Variant::Optimised);
            let Some(said) = tried.said(&CheckOptions { against, search: true, ..options }) else { continue };
            let place = format!("line {} of `{name}` is ", mutant.line);
            let origin = lines[mutant.line - 1].1.map(|l| format!("{}:{l}: ", tried.case.file));
            let right = said.contains(&place) && origin.iter().all(|o| said.contains(o));
            return Some(if right {
                Named::Right
            } else {
                Named::Wrong(format!(
                    "seed {seed}: {} {}: {place}{origin:?}: `{}`\n{said}",
                    tried.case.file, tried.case.head, mutant.before
                ))
            });
        }
        None
    };
    judge((base..base + count).into_par_iter().filter_map(one).collect(), 50);
}

/// Errors that a generator would make wherever it generates something: in statements that assign derivatives.
const FAULTS: [fn(&str) -> String; 6] = [
    |t| in_derivatives(t, |l| l.replace("cos(", "sin(")),
    |t| in_derivatives(t, |l| l.replace("exp(", "sqrt(")),
    |t| in_derivatives(t, |l| l.replace("2.0d0*", "3.0d0*")),
    |t| in_derivatives(t, |l| l.replacen(" - ", " + ", 1)),
    |t| in_derivatives(t, |l| if l.contains("**") { l.replacen(" = ", " = 1.5d0*", 1) } else { l.to_string() }),
    |t| in_derivatives(t, |l| if l.contains("/(") { l.replacen("/(", "/(1.5d0*", 1) } else { l.to_string() }),
];

fn in_derivatives(text: &str, alter: fn(&str) -> String) -> String {
    let is_one = |l: &str| {
        l.split_once(" = ")
            .is_some_and(|(left, _)| !l.trim().starts_with("do ") && (left.contains("_d") || left.contains("_b")))
    };
    text.lines().map(|l| if is_one(l) { alter(l) } else { l.to_string() } + "\n").collect()
}

/// Where what is generated is wrong, the statement is named for which it is. This measures how often, where it is asked to;
/// the unit tests of the search show that it works.
#[test]
fn the_statement_of_an_error_of_the_generator_is_named() {
    let (count, base) = (number("COSTATE_FAULTS", 0), number("COSTATE_SEED", 1));
    if count == 0 {
        return;
    }
    let list = usable_cases();
    let Compilers { optimised, .. } = Compilers::new();
    let one = |seed: u64| {
        let mut rng = Rng::new(2_000_000 + seed);
        for _ in 0..60 {
            let fault = *rng.pick(&FAULTS);
            let Some(tried) = Tried::new(rng.pick(&list)) else { continue };
            let mut lines = Vec::new();
            for mode in [Mode::Tangent, Mode::Adjoint] {
                let made = tried.traced(mode).unwrap_or_default();
                let altered = |l: &&(String, Option<usize>)| fault(&l.0).trim_end() != l.0;
                lines.extend(made.iter().filter(altered).map(|l| l.1));
            }
            if lines.is_empty() {
                continue;
            }
            let options = tried.check_options(&optimised, Variant::Optimised);
            let options = CheckOptions { search: true, altered: Some(fault), ..options };
            let Some(said) = tried.said(&options) else { continue };
            let right = lines.iter().flatten().any(|l| said.contains(&format!("{}:{l}: ", tried.case.file)));
            return Some(if right {
                Named::Right
            } else {
                Named::Wrong(format!("seed {seed}: {} {}: lines {lines:?}\n{said}", tried.case.file, tried.case.head))
            });
        }
        None
    };
    judge((base..base + count).into_par_iter().filter_map(one).collect(), 5);
}
