//! Time loops whose number of steps is known only when they end, under online schedules that a directive or a plan asks
//! for: verified by numbers, and compared with adjoints that store everything.

use std::process::Command;

use costate_adjoint::pipeline::{Differentiated, Mode, Options};
use costate_adjoint::plan::PlanFile;
use costate_analysis::request::Head;
use costate_grammar::diag::Code;
use costate_regression::chain;
use costate_regression::fortran::{self, Fortran};
use rayon::prelude::*;

const FLAGS: &[&str] = &["-O1", "-g", "-fcheck=all"];

const PROCEDURES: &[&str] =
    &["until", "allocates", "fixed_point", "middle", "several", "inner", "calls", "asked", "history"];

fn case(file: &str) -> String {
    std::fs::read_to_string(chain::cases_folder().join(file)).expect("the case can be read")
}

/// The cases with a directive before each time loop.
fn cases(directive: &str) -> String {
    let text = case("online_loops.f90");
    let mut out = String::new();
    for line in text.lines() {
        if line.ends_with("! time loop") {
            out.push_str(&format!("    !$ad {directive}\n"));
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// A program that prints the gradients of all cases for numbers of steps and of snapshots.
fn driver() -> String {
    let call = |name: &&str| {
        format!("xb = 0; y = 0.7_wp; yb = w; call {name}_b(n, nt, x, xb, y, yb); print '(es24.16)', xb\n")
    };
    let calls: String = PROCEDURES.iter().map(call).collect();
    format!(
        "program gradients\nuse m\nuse m_b\nimplicit none\ninteger, parameter :: n = 6\n\
         integer :: nt, i, steps(11) = [0, 1, 2, 3, 4, 5, 7, 10, 16, 33, 60], snapshots(6) = [1, 2, 3, 5, 12, 80]\n\
         real(wp) :: x(n), xb(n), y(n), yb(n), w(n)\n\
         x = [(0.2_wp + 0.1_wp*i, i = 1, n)]\nw = [(cos(1.0_wp*i), i = 1, n)]\n\
         do i = 1, size(steps)*size(snapshots)\n\
         nt = steps((i - 1)/size(snapshots) + 1)\nslots = snapshots(mod(i - 1, size(snapshots)) + 1)\n\
         {calls}end do\nend program\n"
    )
}

/// A module, and some of its procedures to be differentiated.
struct Model {
    text: String,
    loaded: chain::Loaded,
    heads: Vec<Head>,
}

impl Model {
    fn new(text: String, procedures: &[&str]) -> Model {
        let loaded = chain::loaded("m.f90", &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
        let head = |name: &&str| chain::heads(&loaded.program, &format!("m::{name}(y)/(x)")).expect("a head");
        let heads = procedures.iter().flat_map(head).collect();
        Model { text, loaded, heads }
    }

    fn adjoint(&self, options: &Options) -> Result<Differentiated, String> {
        let made = self.loaded.differentiate_with(&self.heads, Mode::Adjoint, options);
        made.map_err(|d| chain::describe(&self.loaded.sources, &d))
    }
}

/// The gradients of all cases with a directive.
fn gradients(fortran: &Fortran, directive: &str) -> Vec<f64> {
    let model = Model::new(cases(directive), PROCEDURES);
    let made = model.adjoint(&costate_regression::checked()).unwrap_or_else(|d| panic!("{directive}: {d}"));
    printed(fortran, &model.text, &made, (&driver(), directive))
}

/// The same where a plan asks for it.
fn planned_gradients(fortran: &Fortran, snapshots: u64, on_disk: u64) -> Vec<f64> {
    let model = Model::new(case("online_loops.f90"), PROCEDURES);
    let adjoint = |options: &Options| model.adjoint(options).unwrap_or_else(|d| panic!("{d}"));
    let mut plan = adjoint(&costate_regression::checked()).plan_file;
    let mut found = 0;
    for site in plan.sites.iter_mut().filter(|s| s.choice == "store-all") {
        site.choice = "schedule".to_string();
        (site.kind, site.snapshots, site.on_disk) = (Some("online".to_string()), Some(snapshots), Some(on_disk));
        found += 1;
    }
    // One assigns elements of a long history.
    assert_eq!(found, PROCEDURES.len() - 1, "{plan}");
    let made = adjoint(&Options { plan: Some(plan), ..costate_regression::checked() });
    assert_eq!(made.files[0].text.matches("'online'").count(), found);
    printed(fortran, &model.text, &made, (&driver(), "a plan"))
}

/// What a driver prints that is built with a module and its adjoint.
fn printed(fortran: &Fortran, text: &str, made: &Differentiated, (driver, told): (&str, &str)) -> Vec<f64> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let files = [("m.f90", text), ("m_b.f90", &made.files[0].text), ("driver.f90", driver)];
    let program = fortran.program(folder.path(), &[], &files).unwrap_or_else(|why| panic!("{told}: {why}"));
    fortran::numbers(Command::new(program).env("COSTATE_VERIFY", "1"))
}

#[test]
fn gradients_agree_for_every_number_of_steps_and_snapshots() {
    let kinds = [
        "checkpoint schedule(store-all)",
        "checkpoint schedule(online) snapshots(slots)",
        "checkpoint",
        "checkpoint snapshots(2, slots)",
    ];
    let fortran = Fortran::new(FLAGS);
    let mut found: Vec<Vec<f64>> = kinds.par_iter().map(|d| gradients(&fortran, d)).collect();
    let planned = [(3, 0), (2, 4)].par_iter().map(|(s, d)| planned_gradients(&fortran, *s, *d));
    found.extend(planned.collect::<Vec<_>>());
    let expected = &found[0];
    let largest = expected.iter().fold(0.0f64, |m, g| m.max(g.abs()));
    assert_eq!(expected.len(), 11 * 6 * 6 * PROCEDURES.len());
    assert!(largest > 0.1 && largest.is_finite(), "{largest}");
    for (kind, gradients) in kinds.iter().chain(&["a plan", "a plan with disk"]).zip(&found).skip(1) {
        assert_eq!(gradients.len(), expected.len(), "{kind}");
        for (k, (a, b)) in gradients.iter().zip(expected).enumerate() {
            let scale = b.abs().max(1e-3);
            assert!((a - b).abs() <= 1e-12 * scale, "{kind}: number {k}: {a} instead of {b}");
        }
    }
}

/// The adjoint of a subroutine with a loop, without comments and layout.
fn adjoint(statements: &str) -> Result<String, (Code, String, usize)> {
    let text = format!(
        "subroutine f(n, nt, x, y)\n  integer, intent(in) :: n, nt\n  real(8), intent(in) :: x(n)\n  \
         real(8), intent(inout) :: y(n)\n  real(8), allocatable :: w(:)\n  real(8) :: e\n  integer :: i, k\n\
         {statements}\nend subroutine\n"
    );
    let loaded = chain::loaded("a.f90", &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
    let heads = chain::heads(&loaded.program, "f(y)/(x,y)").expect("a head");
    match loaded.differentiate(&heads, Mode::Adjoint) {
        Ok(made) => Ok(made.files[0].text.lines().map(|l| format!("{}\n", l.trim())).collect()),
        Err(found) => {
            let d = found.first().expect("a problem");
            let reason = d.reason.clone().unwrap_or_default();
            assert!(d.help.is_some(), "{d:?}");
            Err((d.code, reason, chain::line_of(&loaded.sources, d)))
        }
    }
}

const STEP: &str = "do i = 2, n\ny(i) = y(i)*y(i-1)*x(i)\nend do\n";

/// What ends the loop isn't recomputed, and can't turn out otherwise.
#[test]
fn tests_for_the_end_have_their_known_outcome_in_steps_that_run_again() {
    let text = adjoint(&format!(
        "!$ad checkpoint snapshots(3)\ndo\n{STEP}e = norm2(y)\nif (e < 1d-3) exit\ny(1) = y(1)**2\nend do"
    ));
    let text = text.expect("an adjoint");
    assert!(text.contains("call costate_start(step_schedule, 'online', 1, 0, snapshots=3, name='step')"), "{text}");
    let (forward, backward) = text.split_once("call costate_stop(step_schedule)").expect("the end is announced");
    assert!(forward.contains("e = sqrt(e)"), "{text}");
    assert!(!backward.contains("sqrt(e)") && !backward.contains("1d-3"), "{text}");
    assert!(backward.contains("leaves = step_exit == 1"), "{text}");
    // Steps that others follow are complete.
    assert!(
        backward.contains("y(i) = y(i)*y(i-1)*x(i)\nend do\ny(1) = y(1)**2\nend do\ncase (costate_snapshot)"),
        "{text}"
    );
}

#[test]
fn what_an_online_schedule_cannot_follow_is_refused() {
    let loops = |directive: &str, head: &str, body: &str| format!("!$ad {directive}\n{head}\n{body}end do");
    let online = "checkpoint schedule(online) snapshots(3)";
    let still = format!("{STEP}k = k + 1\n");
    let cases = [
        (loops("checkpoint schedule(revolve) snapshots(3)", "do while (k < nt)", &still), "`revolve` needs the number"),
        (loops("binomial-ckp nt 3 1", "do while (k < nt)", &still), "`revolve` needs the number"),
        (
            loops("checkpoint schedule(two-level)", "do k = 1, nt", &format!("{STEP}if (y(1) > 1) exit\n")),
            "`two-level`",
        ),
        (loops(online, "do while (k < nt)", &format!("read (*, *) k\n{still}")), "its iterations can't be run again"),
        ("!$ad checkpoint schedule(online) snapshots(3)\ny = x".to_string(), "it tells how the loop that follows"),
    ];
    for (statements, reason) in cases {
        let (code, found, line) = adjoint(&statements).err().unwrap_or_else(|| panic!("not refused: {statements}"));
        assert_eq!((code, line), (Code::UnsupportedDirective, 8), "{statements}: {found}");
        assert!(found.contains(reason), "{found} instead of {reason}");
    }
    // Inside another time loop.
    let nested = format!("do k = 1, nt\n{}\nend do", loops(online, "do while (y(1) > 1)", STEP));
    let (_, reason, line) = adjoint(&nested).expect_err("a refusal");
    assert!(reason.contains("it lies in another loop") && line == 9, "{reason} {line}");
}

/// A program that prints the gradient of a procedure.
fn driver_of(name: &str) -> String {
    format!(
        "program gradient\nuse m\nuse m_b\nimplicit none\ninteger, parameter :: n = 200, nt = 23\n\
         real(wp) :: x(n), xb(n), y(n), yb(n)\ninteger :: i\n\
         x = [(0.3_wp + 0.2_wp*sin(1.0_wp*i), i = 1, n)]\nxb = 0\ny = 0\nyb = [(cos(2.0_wp*i), i = 1, n)]\n\
         call {name}_b(n, nt, x, xb, y, yb)\nprint '(es24.16)', xb\nend program\n"
    )
}

/// Loops in each other, in called procedures, in time loops that count their steps, with several exits.
#[test]
fn plans_within_a_budget_run_open_loops_under_online_schedules() {
    let fortran = Fortran::new(FLAGS);
    ["nested", "called", "inside", "two"].par_iter().for_each(|name| {
        let model = Model::new(case("open_nests.f90"), &[name]);
        let sizes = [("n", 200), ("nt", 23), ("trips", 23), ("newton", 5)];
        let sizes = sizes.map(|(n, v)| (n.to_string(), vec![v])).to_vec();
        let options = Options { sizes, ..costate_regression::checked() };
        let stored = model.adjoint(&options).unwrap_or_else(|d| panic!("{d}"));
        let expected = printed(&fortran, &model.text, &stored, (&driver_of(name), name));
        let largest = expected.iter().fold(0.0f64, |m, g| m.max(g.abs()));
        assert!(largest > 0.1 && largest.is_finite(), "{name}: {largest}");

        let too_little = Options { memory: Some(1), ..options.clone() };
        let refused = model.loaded.differentiate_with(&model.heads, Mode::Adjoint, &too_little).expect_err("a refusal");
        let help = refused[0].help.as_ref().and_then(|h| h.split('`').nth(1)?.strip_prefix("--memory ")?.parse().ok());
        let least: u64 = help.unwrap_or_else(|| panic!("{refused:?}"));
        assert!(2 * least < stored.plan_file.peak, "{name}: {least} of {}", stored.plan_file.peak);
        for memory in [least, 2 * least] {
            let made = model.adjoint(&Options { memory: Some(memory), ..options.clone() });
            let made = made.unwrap_or_else(|d| panic!("{d}"));
            let file = &made.plan_file;
            assert!(file.peak <= memory, "{name}: {file}");
            assert!(memory > least || file.to_string().contains("schedule online"), "{name}: {file}");
            let again = PlanFile::parse(&file.text()).expect("a plan can be read back");
            assert_eq!(again, *file);
            let again = model.adjoint(&Options { plan: Some(again), ..costate_regression::checked() });
            assert_eq!(again.unwrap_or_else(|d| panic!("{d}")).files[0].text, made.files[0].text);
            let told = format!("{name} within {memory}");
            let found = printed(&fortran, &model.text, &made, (&driver_of(name), &told));
            for (a, b) in found.iter().zip(&expected) {
                assert!((a - b).abs() <= 1e-12 * largest, "{told}: {a} instead of {b}");
            }
        }
    });
}

/// How often a loop runs is given by its name, or for all together.
#[test]
fn trip_counts_are_sizes() {
    let model = Model::new(case("open_nests.f90"), &["nested"]);
    let peak = |sizes: &[(&str, i64)]| {
        let sizes = sizes.iter().map(|(n, v)| ((*n).to_string(), vec![*v])).collect();
        let made = model.adjoint(&Options { sizes, ..costate_regression::checked() }).unwrap_or_else(|d| panic!("{d}"));
        (made.plan_file.peak, made.plan_file.ratio, made.plan())
    };
    let n = ("n", 1002);
    // Adjoints of three arrays, two values for each of the inner elements and iterations, a count for each step, and the two
    // arrays in which the values of an iteration are collected.
    let taken = |steps: u64, iterations: u64| 3 * 8 * 1002 + steps * (iterations * 2 * 8 * 1000 + 4) + 2 * 8 * 1000;
    assert_eq!(peak(&[n, ("trips", 30), ("newton", 4)]).0, taken(30, 4));
    assert_eq!(peak(&[n, ("trips", 30)]).0, taken(30, 30));
    let (bytes, ratio, told) = peak(&[n]);
    assert_eq!(bytes, taken(100, 100));
    assert!(told.contains("are taken to run 100 times; `--size newton=N`, `--size trips=N` says how often"), "{told}");
    assert!(told.contains("assuming newton = 100, trips = 100"), "{told}");
    let (_, given, told) = peak(&[n, ("trips", 100)]);
    assert_eq!(ratio, given);
    assert!(!told.contains("taken to run") && !told.contains("assuming"), "{told}");
}

/// A plan doesn't ask for a schedule that the loop can't follow.
#[test]
fn a_plan_with_another_schedule_for_an_open_loop_is_refused() {
    let model = Model::new(case("open_nests.f90"), &["nested"]);
    let mut plan = model.adjoint(&costate_regression::checked()).unwrap_or_else(|d| panic!("{d}")).plan_file;
    let site = plan.sites.iter_mut().find(|s| s.choice == "store-all").expect("a loop");
    site.choice = "schedule".to_string();
    (site.kind, site.snapshots) = (Some("revolve".to_string()), Some(3));
    let refused = model.adjoint(&Options { plan: Some(plan), ..costate_regression::checked() }).expect_err("a refusal");
    assert!(refused.contains("`do while (t < nt - 0.5_wp)` can't be reversed as the plan says"), "{refused}");
}
