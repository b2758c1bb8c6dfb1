//! Time loops under every schedule, as directives ask for it, verified by numbers; directives that can't be followed.

use costate_adjoint::pipeline::{Mode, Options};
use costate_adjoint::plan::Choices;
use costate_adjoint::verify::{self, CheckOptions, Variant};
use costate_grammar::diag::{Code, Severity};
use costate_regression::chain;
use costate_regression::fortran::Fortran;
use rayon::prelude::*;

const FLAGS: &[&str] = &["-O1"];

/// Directives that have a time loop run in one way each.
const DIRECTIVES: &[&str] = &[
    "checkpoint",
    "checkpoint schedule(store-all)",
    "checkpoint schedule(two-level)",
    "checkpoint schedule(two-level) snapshots(3)",
    "checkpoint schedule(two-level), snapshots(2, 3)",
    "checkpoint schedule(revolve) snapshots(1)",
    "checkpoint schedule(multistage) snapshots(2, 3)",
    "checkpoint snapshots(0, 4)",
    "checkpoint schedule(mixed)",
    "checkpoint schedule(mixed) snapshots(3)",
    "checkpoint schedule(dynamic) snapshots(2)",
    "checkpoint schedule(dynamic) snapshots(1, 2)",
    "checkpoint schedule(dynamic) memory(20 kB)",
    "binomial-ckp nt 5 1",
    "binomial-ckp nt n 1",
];

const HEADS: &str = "m::down(y)/(x); m::before(y)/(x); m::counter(y)/(x); m::calls(y)/(x); m::subcycled(y)/(x); \
    m::shaped(y)/(x); m::shrinking(y)/(x)";

/// The cases of time loops with a directive before each, and `n` as a name that all procedures know.
fn program(directive: &str) -> String {
    // `shaped` has no `n`.
    with_directive("time_loops.f90", directive).replacen(
        "  real(wp) :: level(100)\n",
        "  real(wp) :: level(100)\n  integer :: n = 3\n",
        1,
    )
}

/// A program with a directive before each of its time loops.
fn with_directive(file: &str, directive: &str) -> String {
    let path = chain::cases_folder().join(file);
    let text = std::fs::read_to_string(path).expect("the cases can be read");
    let mut out = String::new();
    for line in text.lines() {
        let time = ["    do k = ", "    do it = "].iter().any(|start| line.starts_with(start));
        if time && !directive.is_empty() {
            out.push_str(&format!("    !$ad {directive}\n"));
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// What is wrong with the derivatives of a program, if anything.
fn verdict(fortran: &Fortran, text: &str, heads: &str, steps: i64, generate: Options) -> Result<(), String> {
    let (sources, read) = chain::load(&[("time_loops.f90".to_string(), text.to_string())]);
    let report = read.and_then(|(files, program)| {
        let mut all = Vec::new();
        for head in heads.split(';') {
            all.extend(chain::heads(&program, head.trim())?);
        }
        let sizes = [("n", 12), ("nt", steps), ("x", 12), ("y", 12)];
        let options = CheckOptions {
            generate: Options { sizes: sizes.map(|(n, v)| (n.to_string(), vec![v])).into(), ..generate },
            ..fortran.check_options(Variant::Optimised)
        };
        verify::check(&program, &sources, &files, &all, &options)
    });
    match report {
        Ok(report) if report.passed() => Ok(()),
        Ok(report) => Err(report.to_string()),
        Err(found) => Err(chain::describe(&sources, &found)),
    }
}

#[test]
fn every_schedule_gives_the_right_derivatives() {
    let fortran = Fortran::new(FLAGS);
    let wrong: Vec<String> = DIRECTIVES
        .par_iter()
        .enumerate()
        .filter_map(|(k, directive)| {
            let steps = if k == 0 { 1 } else { 43 };
            let why = verdict(&fortran, &program(directive), HEADS, steps, costate_regression::checked()).err()?;
            Some(format!("{directive}, {steps} steps:\n{why}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Snapshots hold the shape of what steps allocate anew.
#[test]
fn allocatable_state_comes_back_with_its_shape() {
    let fortran = Fortran::new(FLAGS);
    let heads = "m::levels(y)/(x); m::components(y)/(x); m::module_state(y)/(x); m::grows(y)/(x)";
    let directives = [
        ("checkpoint schedule(two-level), snapshots(1, 2)", heads),
        ("checkpoint schedule(revolve) snapshots(2)", heads),
        ("checkpoint schedule(mixed) snapshots(3)", heads),
        ("checkpoint schedule(online) snapshots(2, 2)", heads),
        ("checkpoint schedule(dynamic) snapshots(2)", "m::levels(y)/(x)"),
    ];
    let wrong: Vec<String> = directives
        .par_iter()
        .filter_map(|(directive, heads)| {
            let text = with_directive("alloc_time_loops.f90", directive);
            let why = verdict(&fortran, &text, heads, 13, costate_regression::checked()).err()?;
            Some(format!("{directive}:\n{why}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A loop without any step leaves the state as it is; the other procedures' outputs then don't depend on the inputs.
#[test]
fn there_may_be_no_step() {
    let fortran = Fortran::new(FLAGS);
    let heads = "m::before(y)/(x); m::subcycled(y)/(x); m::shaped(y)/(x)";
    for directive in ["checkpoint snapshots(2)", "checkpoint schedule(two-level) snapshots(2)"] {
        if let Err(why) = verdict(&fortran, &program(directive), heads, 0, costate_regression::checked()) {
            panic!("{directive}:\n{why}");
        }
    }
}

#[test]
fn a_folder_is_all_that_the_disk_takes() {
    let folder = std::env::temp_dir().display().to_string();
    let options = || Options {
        choices: Choices { disk: Some(folder.clone()), ..Choices::default() },
        ..costate_regression::checked()
    };
    let text = program("");
    if let Err(why) = verdict(&Fortran::new(FLAGS), &text, HEADS, 43, options()) {
        panic!("{why}");
    }
    let loaded = chain::loaded("m.f90", &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
    let heads = chain::heads(&loaded.program, "m::calls(y)/(x)").expect("a head");
    let made = loaded.differentiate_with(&heads, Mode::Adjoint, &options()).expect("an adjoint");
    let call = format!("'two-level', 1, nt, on_disk=it_on_disk, folder='{folder}'");
    assert!(made.files.iter().any(|f| f.text.replace(" &\n", "").contains(&call)), "{}", made.files[0].text);
}

#[test]
fn counts_of_snapshots_are_worked_out_before_the_loop() {
    let time = "  do k = 1, nt\n    do i = 2, n\n      y(i) = y(i)*y(i-1)*x(i)\n    end do\n  end do";
    let text = small(&format!("!$ad checkpoint snapshots(n, nt)\n{time}"));
    let loaded = chain::loaded("a.f90", &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
    let heads = chain::heads(&loaded.program, "f(y)/(x,y)").expect("a head");
    let made = loaded.differentiate(&heads, Mode::Adjoint).expect("an adjoint");
    let text = &made.files[0].text;
    for line in ["k_snapshots = n", "k_on_disk = nt"] {
        assert!(text.lines().any(|l| l.trim() == line), "{line} is not in\n{text}");
    }
}

/// Normal form changes these loops; they are still what the directive stands before.
#[test]
fn directives_before_loops_that_are_rewritten_are_followed() {
    let step = "y(1) = y(1)*x(1)\n    if (y(1) > 9) cycle\n    y(2) = y(1)*y(2)\n  end do";
    for header in ["do k = 1, nt", "do k = 1, steps(nt)"] {
        let text = small(&format!("!$ad checkpoint snapshots(3)\n  {header}\n    {step}\ncontains\n{STEPS}"));
        let loaded = chain::loaded("a.f90", &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
        let heads = chain::heads(&loaded.program, "f(y)/(x,y)").expect("a head");
        let made = loaded.differentiate(&heads, Mode::Adjoint);
        let made = made.unwrap_or_else(|d| panic!("{header}: {}", chain::describe(&loaded.sources, &d)));
        assert!(made.files[0].text.contains("call costate_start(k_schedule, 'revolve', 1, "), "{}", made.files[0].text);
    }
}

const STEPS: &str = "integer function steps(n)\ninteger, intent(in) :: n\nsteps = 2*n\nend function";

/// A subroutine with statements from line 7 on.
fn small(statements: &str) -> String {
    format!(
        "subroutine f(n, nt, x, y)\n  integer, intent(in) :: n, nt\n  real(8), intent(in) :: x(n)\n  \
         real(8), intent(inout) :: y(n)\n  type cell; real(8), allocatable :: w(:); end type; type(cell) :: c(2)\n  integer :: i, k\n{statements}\nend subroutine\n"
    )
}

#[test]
fn wrong_directives_are_refused() {
    let step = "    do i = 2, n\n      y(i) = y(i)*y(i-1)*x(i)\n    end do\n";
    let time = format!("  do k = 1, nt\n{step}  end do");
    let after = |directive: &str| small(&format!("!$ad {directive}\n{time}"));
    let named = |directive: &str, loops: &str| small(&format!("!$ad {directive}\n{loops}"));
    let cases = [
        (after("checkpoint schedule(best)"), "there is no schedule `best`"),
        (after("checkpoint snapshots(0)"), "a schedule needs a snapshot"),
        (after("binomial-ckp nt 0 1"), "a schedule needs a snapshot"),
        (after("checkpoint snapshots(1, 2, 3)"), "there are snapshots in memory and on disk"),
        (after("checkpoint snapshots(many)"), "`many` is neither a number nor an integer"),
        (after("checkpoint snapshots(x)"), "`x` is neither a number nor an integer"),
        (after("checkpoint schedule(multistage) snapshots(4)"), "`multistage` has snapshots on disk"),
        (after("checkpoint schedule(mixed) snapshots(4, 2)"), "`mixed` has no snapshots on disk"),
        (after("checkpoint schedule(revolve) memory(2MB)"), "it is `dynamic` that goes by bytes"),
        (after("checkpoint schedule(dynamic) memory(2MB) snapshots(4)"), "in bytes and in snapshots"),
        (after("checkpoint schedule(dynamic) memory(lots)"), "`lots` is neither an amount of memory nor an integer"),
        (after("checkpoint schedule(dynamic) memory(x)"), "`x` is neither an amount of memory nor an integer"),
        (after("checkpoint snapshots(3000000000)"), "2147483647 snapshots at most"),
        (after("checkpoint snapshots(4)\n!$ad binomial-ckp nt 4 1"), "each tells how it is reversed"),
        (named("checkpoint", "  y = x"), "it tells how the loop that follows"),
        (named("checkpoint", "  i = 1"), "it tells how the loop that follows"),
        (
            named("checkpoint", &format!("  do k = 1, nt\n    c(1)%w = y\n{step}    y = y*c(1)%w\n  end do")),
            "it allocates or frees memory that a snapshot can't hold",
        ),
        (
            named("checkpoint schedule(revolve)", &format!("  do k = 1, nt\n{step}    if (y(1) > 9) exit\n  end do")),
            "`revolve` needs the number of steps",
        ),
    ];
    for (text, reason) in cases {
        let loaded = chain::loaded("a.f90", &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
        let heads = chain::heads(&loaded.program, "f(y)/(x,y)").expect("a head");
        let found = loaded.differentiate(&heads, Mode::Adjoint).err().unwrap_or_default();
        let hit = found.iter().find(|d| d.code == Code::UnsupportedDirective);
        let hit = hit.unwrap_or_else(|| panic!("not refused for {reason}:\n{text}"));
        assert!(hit.reason.as_ref().is_some_and(|r| r.contains(reason)), "{hit:?}\ninstead of: {reason}");
        assert_eq!(chain::line_of(&loaded.sources, hit), 7, "{text}");
        assert!(hit.help.is_some(), "{hit:?}");
        // A tangent reverses no loop.
        let tangent = loaded.differentiate(&heads, Mode::Tangent);
        assert!(tangent.is_ok(), "{:?}\n{text}", tangent.err());
    }
}

#[test]
fn directives_without_effect_are_warned_of() {
    let apart = "  do i = 1, n\n    y(i) = y(i)*sin(x(i))\n    y(i) = y(i)**2\n  end do";
    let passive = "  do k = 1, nt\n    i = i + k\n  end do";
    let cases = [
        ("checkpoint snapshots(4)", apart, Some("each iteration runs again by itself")),
        ("binomial-ckp nt 4 1", apart, Some("each iteration runs again by itself")),
        ("checkpoint schedule(store-all)", apart, None),
        ("checkpoint snapshots(4)", passive, Some("no derivative goes through it")),
    ];
    for (directive, loops, reason) in cases {
        let text = small(&format!("!$ad {directive}\n{loops}"));
        let loaded = chain::loaded("a.f90", &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
        let heads = chain::heads(&loaded.program, "f(y)/(x,y)").expect("a head");
        let made = loaded.differentiate(&heads, Mode::Adjoint).unwrap_or_else(|d| panic!("{d:?}"));
        let said: Vec<_> = made.notes.iter().map(|d| (d.severity, chain::line_of(&loaded.sources, d))).collect();
        let expected: Vec<_> = reason.iter().map(|_| (Severity::Warning, 7)).collect();
        assert_eq!(said, expected, "{directive}: {:?}", made.notes);
        let told = made.notes.iter().filter_map(|d| d.reason.as_ref());
        assert!(told.zip(reason).all(|(r, expected)| r.contains(expected)), "{:?}", made.notes);
        let stored = made.plan().contains("reversed with what its iterations save");
        assert_eq!(stored, reason.is_none(), "{}", made.plan());
    }
}
