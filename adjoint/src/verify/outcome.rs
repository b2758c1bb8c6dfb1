//! What the runs of a head in all variants say together.

use costate_grammar::diag::{Code, Diagnostic};

use super::Point;
use super::driver::Driver;
use super::figures::Finding;
use super::judge::{self, running};
use super::report::HeadReport;
use super::run::{Crash, Run};
use super::variant::{Flags, Variant};

/// Values of the primal that differ by more than this part between variants aren't rounding errors.
const APART: f64 = 1e-6;

/// A report, or what keeps the derivatives from being verified.
pub(super) type Judged = Result<HeadReport, Box<Diagnostic>>;

/// Judges the runs of a head.
pub(super) fn judge(driver: &Driver, runs: &[(&Flags, &Run)]) -> Judged {
    let mut judged: Vec<(&Flags, Judged)> = runs.iter().map(|(f, run)| (*f, judge_run(driver, run))).collect();
    let fails = |j: &Judged| j.as_ref().map_or(true, |r| !r.passed);
    let failing = judged.iter().filter(|(_, j)| fails(j)).count();
    let split = (failing < judged.len()).then(|| judged.iter().position(|(_, j)| fails(j))).flatten();
    if let Some(d) = undefined(driver, runs, &judged) {
        return Err(d);
    }
    // Run-time checks say most of what goes wrong.
    let told = |(flags, j): &(&Flags, Judged)| (j.is_err(), flags.variant == Variant::Checked);
    let most = judged.iter().enumerate().max_by_key(|(_, j)| told(j)).map_or(0, |(i, _)| i);
    if judged[most].1.is_err() {
        let (flags, result) = judged.swap_remove(most);
        return result.map_err(|d| Box::new(told_of(*d, flags, split.is_some())));
    }
    let values: Vec<Vec<f64>> = judged.iter().filter_map(|(_, j)| j.as_ref().ok()).map(|r| r.values.clone()).collect();
    let shown = split.unwrap_or(0);
    let (flags, result) = judged.swap_remove(shown);
    let mut report = result?;
    if split.is_some() {
        let finding = only_here(flags, report.is_wrong());
        report.findings.push(finding);
    }
    for other in judged.into_iter().filter_map(|(_, j)| j.ok()) {
        for note in other.notes.into_iter().filter(|n| !report.notes.contains(n)).collect::<Vec<_>>() {
            report.notes.push(note);
        }
    }
    if apart(&values) {
        let message = "the primal gives other values when it is compiled with other flags: it uses something that it \
                       hasn't set, changes one memory under two names, or rounding errors decide where it goes";
        match report.passed {
            true => report.notes.push(message.to_string()),
            false => report.findings.push(Finding { wrong: false, message: message.to_string() }),
        }
    }
    Ok(report)
}

/// Judges the run of a head at a further point, where those before show nothing wrong: what it shows, if anything. Nothing
/// comes of values that the primal isn't made for: it may leave the range of numbers, run on, or leave its bounds where no
/// check sees that, and it may jump, or answer wildly to small changes, so that difference quotients mean little. Without
/// run-time checks it may use what isn't set, which is seen where that is no number.
pub(super) fn judge_at(point: Point, driver: &Driver, run: &Run, flags: &Flags) -> Option<Judged> {
    let only = || format!("this is so {} only", point.described());
    let killed = |c: &Crash| c.late || c.how.starts_with("signal");
    let unset = flags.variant != Variant::Checked && run.figures.contains("NaN");
    match judge_run(driver, run) {
        _ if unset => None,
        _ if run.crash.as_ref().is_some_and(killed) || judge::is_untrapped(&run.figures) => None,
        Ok(report) if report.is_wrong() && !report.is_wrong_for_any_values() => None,
        Ok(mut report) => {
            if report.is_wrong() {
                report.findings.push(Finding { wrong: true, message: only() });
            }
            Some(Ok(HeadReport { point, ..report }))
        }
        Err(mut d) if d.code == Code::CheckFailed => {
            d.reason = Some(d.reason.take().map_or_else(only, |r| format!("{r}\n{}", only())));
            Some(Err(d))
        }
        Err(_) => None,
    }
}

/// Judges a run with some number of threads, where those before show nothing wrong.
pub(super) fn judge_with(threads: usize, driver: &Driver, run: &Run) -> Judged {
    let said = format!("this is so with {threads} threads, at times: iterations meet at the same memory");
    match judge_run(driver, run) {
        Ok(mut report) => {
            if !report.passed {
                report.findings.push(Finding { wrong: true, message: said });
            }
            Ok(report)
        }
        Err(mut d) => {
            d.reason = Some(d.reason.take().map_or(said.clone(), |r| format!("{r}\n{said}")));
            Err(d)
        }
    }
}

/// A primal that gives numbers in one variant, and none where what isn't set is no number.
fn undefined(driver: &Driver, runs: &[(&Flags, &Run)], judged: &[(&Flags, Judged)]) -> Option<Box<Diagnostic>> {
    let infinite = |run: &Run| run.crash.is_none() && judge::is_infinite(&run.figures);
    let (_, checked) = runs.iter().find(|(f, r)| f.variant == Variant::Checked && infinite(r))?;
    if !judged.iter().any(|(f, j)| f.variant == Variant::Optimised && j.is_ok()) {
        return None;
    }
    let place = place(&checked.said).map_or(String::new(), |p| format!(": at {p} first"));
    let names = judge::unset(driver, &checked.figures);
    Some(Box::new(
        Diagnostic::error(
            Code::CheckDriver,
            driver.procedure,
            format!("the primal of `{}` depends on a value that nothing sets", driver.head),
        )
        .reason(format!("its outputs are no numbers where variables that aren't set hold none{place}{}", unset(&names)))
        .help(way_to_set(&names)),
    ))
}

/// Words on module variables that nothing sets.
fn unset(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("; `{one}` is not set"),
        list => {
            let shown: Vec<String> = list.iter().take(5).map(|n| format!("`{n}`")).collect();
            format!("; not set are {}{}", shown.join(", "), if list.len() > 5 { " and others" } else { "" })
        }
    }
}

/// How these are set.
fn way_to_set(names: &[&str]) -> String {
    let name = names.iter().find(|n| n.contains("::")).copied().unwrap_or("module::name");
    format!(
        "set the variable before it is used; a module variable is set with `--value {name}=...` or by a procedure that \
         `--setup module::procedure` names"
    )
}

/// What is said of a failure that one variant alone shows.
fn only_here(flags: &Flags, wrong: bool) -> Finding {
    let command = flags.flags.join(" ");
    let means = match flags.variant {
        Variant::Optimised => {
            "code whose results depend on optimisation breaks a rule of Fortran: most often it changes one memory under \
             two names, or uses what it hasn't set"
        }
        Variant::Checked => {
            "run-time checks fill what isn't set with NaN, so the code uses something that it hasn't set"
        }
    };
    let message = format!("this is so only when {} (`{command}`): {means}", flags.variant.described());
    Finding { wrong, message }
}

/// An error, with the variant that shows it where another doesn't.
fn told_of(mut d: Diagnostic, flags: &Flags, alone: bool) -> Diagnostic {
    if alone {
        let only = format!("this is so only when {} (`{}`)", flags.variant.described(), flags.flags.join(" "));
        d.reason = Some(d.reason.map_or(only.clone(), |r| format!("{r}\n{only}")));
    }
    d
}

/// Whether values differ between variants.
fn apart(values: &[Vec<f64>]) -> bool {
    let Some((first, others)) = values.split_first() else { return false };
    let far = |a: f64, b: f64| (a - b).abs() > APART * a.abs().max(b.abs());
    others.iter().any(|o| o.len() == first.len() && first.iter().zip(o).any(|(a, b)| far(*a, *b)))
}

fn judge_run(driver: &Driver, run: &Run) -> Judged {
    match &run.crash {
        Some(crash) => Err(Box::new(crashed(driver, run, crash))),
        None => {
            let mut report = judge::judge(driver, &run.figures)?;
            if judge::is_untrapped(&run.figures) {
                let at = place(&run.said).map_or(String::new(), |p| format!(" at {p}"));
                report.notes.push(format!(
                    "the primal computes what is no number, or uses a value that nothing sets{at}; it doesn't reach the \
                     outputs, and tangent and adjoint may do the same"
                ));
            }
            Ok(report)
        }
    }
}

/// A primal that doesn't end can't be checked; a derivative of one that does is wrong if it doesn't end.
fn crashed(driver: &Driver, run: &Run, crash: &Crash) -> Diagnostic {
    let what = running(&run.figures).unwrap_or("driver");
    let derivative = matches!(what, "tangent" | "adjoint");
    let code = if derivative { Code::CheckFailed } else { Code::CheckDriver };
    let fault = if crash.late { Fault::Late } else { Fault::of(&run.said, &crash.how) };
    let at = place(&run.said).map_or(String::new(), |p| format!(" at {p}"));
    let head = &driver.head;
    let message = match &fault {
        Fault::Bounds(text) => format!("the {what} of `{head}` leaves the bounds of an array{at}{text}"),
        Fault::Invalid => {
            format!("the {what} of `{head}` computes what is no number, or uses a value that isn't set,{at}")
        }
        Fault::Memory => format!("the {what} of `{head}` uses memory that isn't there{at}"),
        Fault::Stop(text) | Fault::RunTime(text) => format!("the {what} of `{head}` stops{at}: {text}"),
        Fault::Late | Fault::Other => format!("the {what} of `{head}` didn't come to its end: {}", crash.how),
    };
    let names = judge::unset(driver, &run.figures);
    let by_library = run.said.iter().any(|l| l.starts_with("costate:"));
    let help = if derivative && by_library {
        "the run-time library says why; directives, options and the environment give it what it asks for".to_string()
    } else if derivative && !crash.late {
        "unless the primal does the same, this is a bug in Costate, or in what was edited: please report it; \
         `--keep DIR` keeps the code and a script that builds and runs it"
            .to_string()
    } else {
        fault.way_out(&names)
    };
    let reason = if run.said.is_empty() { "the program said nothing".to_string() } else { run.said.join("\n") };
    Diagnostic::error(code, driver.procedure, message).reason(reason + &unset(&names)).help(help)
}

/// What goes wrong in a run, as a compiler's run-time library says it.
enum Fault {
    /// An index is out of bounds, with the library's words.
    Bounds(String),
    /// A result that is no number.
    Invalid,
    /// Something isn't allocated or associated.
    Memory,
    /// The user's `stop`, with its text.
    Stop(String),
    /// Another error of the run-time library.
    RunTime(String),
    /// It runs too long.
    Late,
    Other,
}

impl Fault {
    fn of(said: &[String], how: &str) -> Fault {
        let says = |words: &[&str]| said.iter().any(|l| words.iter().any(|w| l.contains(w)));
        let bounds =
            ["of dimension", "outside of expected range", "Array bound mismatch", "Subscript #", "out of bounds"];
        let error = said.iter().find_map(|l| l.trim().strip_prefix("Fortran runtime error: "));
        if says(&["untime error", "severe (408)", "Subscript out of range"]) && says(&bounds) {
            return Fault::Bounds(error.map_or(String::new(), |e| format!(": {e}")));
        }
        if how == "signal: 8" || says(&["SIGFPE"]) {
            return Fault::Invalid;
        }
        if ["signal: 11", "signal: 7"].contains(&how)
            || says(&["SIGSEGV", "SIGBUS", "is not allocated", "not associated"])
        {
            return Fault::Memory;
        }
        let stop = said.iter().map(|l| l.trim()).find(|l| l.starts_with("ERROR STOP") || l.starts_with("STOP "));
        match (stop, error) {
            (Some(text), _) => Fault::Stop(text.to_string()),
            (_, Some(text)) => Fault::RunTime(text.to_string()),
            (None, None) => Fault::Other,
        }
    }

    /// What to try when the primal does this.
    fn way_out(&self, unset: &[&str]) -> String {
        let text = match self {
            Fault::Late => "give smaller sizes (`--size n=16`) or more time (`--time-limit`)",
            Fault::Bounds(_) => {
                "give sizes that fit together with `--size n=8`, and values of what is used as an index with \
                 `--value k=1`; else the primal itself is wrong. `--build optimised` does without run-time checks"
            }
            Fault::Invalid if !unset.is_empty() => return way_to_set(unset),
            Fault::Invalid => {
                "give values within its range with `--value x=0.5` or `--value x=10:20`; module variables are set with \
                 `--value module::name=...` or by a procedure that `--setup module::procedure` names"
            }
            Fault::Memory => {
                "name a procedure that allocates and sets what the modules hold with `--setup module::procedure`, or \
                 give an allocatable module variable a size: `--size module::name=8`"
            }
            Fault::Stop(_) | Fault::RunTime(_) | Fault::Other => {
                "give sizes and values of dummies with `--size` and `--value`, of module variables with `--value \
                 module::name=...`, name procedures that set up modules with `--setup`; `--keep DIR` keeps the driver"
            }
        };
        text.to_string()
    }
}

/// The first place that a message or backtrace names: `file.f90:12`.
fn place(said: &[String]) -> Option<String> {
    let named = |line: &String| {
        if let Some(rest) = line.trim().strip_prefix("At line ") {
            let (number, file) = rest.split_once(" of file ")?;
            return Some(format!("{}:{number}", short(file)));
        }
        let (file, number) = line.trim().strip_prefix("at ")?.rsplit_once(':')?;
        // The C library's own.
        if ["sysdeps/", "csu/", "libgfortran", "libc_"].iter().any(|part| file.contains(part)) {
            return None;
        }
        number.parse::<usize>().ok().map(|n| format!("{}:{n}", short(file)))
    };
    let ours = |place: &String| !place.starts_with("costate_check_");
    said.iter().filter_map(named).find(ours)
}

/// The name of a file without its folder.
fn short(path: &str) -> &str {
    path.trim().rsplit('/').next().unwrap_or(path)
}
