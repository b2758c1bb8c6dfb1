//! Time loops whose number of steps is known only when they end, under online schedules: verified by numbers, and
//! compared with adjoints that store everything.

use std::process::Command;

use costate_adjoint::pipeline::Mode;
use costate_grammar::diag::Code;
use costate_regression::chain;
use costate_regression::fortran::{self, Fortran};
use rayon::prelude::*;

const PROCEDURES: &[&str] = &["until", "fixed_point", "middle", "several", "inner", "calls", "asked", "history"];

/// The cases with a directive before each time loop.
fn cases(directive: &str) -> String {
    let path = chain::cases_folder().join("online_loops.f90");
    let text = std::fs::read_to_string(path).expect("the cases can be read");
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

/// The gradients that the driver prints.
fn gradients(fortran: &Fortran, directive: &str) -> Vec<f64> {
    let text = cases(directive);
    let loaded = chain::loaded("m.f90", &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
    let mut heads = Vec::new();
    for name in PROCEDURES {
        heads.extend(chain::heads(&loaded.program, &format!("m::{name}(y)/(x)")).expect("a head"));
    }
    let made = loaded.differentiate(&heads, Mode::Adjoint);
    let made = made.unwrap_or_else(|d| panic!("{directive}: {}", chain::describe(&loaded.sources, &d)));
    let folder = tempfile::tempdir().expect("a folder can be made");
    let files = [("m.f90", text.as_str()), ("m_b.f90", &made.files[0].text), ("driver.f90", &driver())];
    let program = fortran.program(folder.path(), &[], &files).unwrap_or_else(|told| panic!("{directive}: {told}"));
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
    let fortran = Fortran::new(&["-O1", "-g", "-fcheck=all"]);
    let found: Vec<Vec<f64>> = kinds.par_iter().map(|d| gradients(&fortran, d)).collect();
    let expected = &found[0];
    let largest = expected.iter().fold(0.0f64, |m, g| m.max(g.abs()));
    assert_eq!(expected.len(), 11 * 6 * 6 * PROCEDURES.len());
    assert!(largest > 0.1 && largest.is_finite(), "{largest}");
    for (kind, gradients) in kinds.iter().zip(&found).skip(1) {
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

/// What ends the loop isn't computed again, and can't turn out otherwise.
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
        (
            loops(online, "do while (k < nt)", &format!("allocate(w(n))\nw = y\n{still}y = y*w\ndeallocate(w)\n")),
            "it allocates or frees memory",
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
