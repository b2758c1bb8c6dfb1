//! What keeps a check from its end is told.

use super::tests::{Case, USUAL, unit};
use super::{CheckOptions, Report, Verdict};

#[test]
fn what_a_driver_cant_do_is_refused() {
    let text = |more: &str, dummy: &str| {
        format!(
            "module m\n  implicit none\n{more}contains\n  subroutine f(x, g)\n    real, intent(inout) :: x\n    {dummy}\n  end subroutine\nend module\n"
        )
    };
    for (source, message) in [
        (text("  private :: f\n", "integer :: g"), "`f` is private, so no driver can reach it"),
        (text("", "external :: g"), "the dummy `g` of `f` is a procedure"),
        (text("", "class(*) :: g"), "no driver can be written for the dummy `g`"),
        (
            text("  type t\n    private\n    real :: r\n  end type\n", "type(t) :: g"),
            "no driver can be written for the dummy `g`",
        ),
    ] {
        let case = Case::new(&source, "f(x)/(x)");
        let d = case.try_check(&CheckOptions::default()).unwrap_err();
        assert_eq!(d[0].message, message);
        assert!(d[0].help.is_some());
    }
}

#[test]
fn a_compiler_that_refuses_is_quoted() {
    let case = Case::new(USUAL, "f(y)/(x)").with(
        ["n x x_d y y_d", "n x x_b y y_b"],
        "module m_d\n  nonsense\nend module\n",
        "",
    );
    let d = case.try_check(&CheckOptions::default()).unwrap_err();
    assert_eq!(d[0].message, "`gfortran` refused generated tangent code m_d.f90");
    assert!(d[0].reason.as_deref().is_some_and(|r| r.contains("nonsense")));
}

#[test]
fn a_driver_that_hangs_or_crashes_is_stopped() {
    let declare = |s: &str| format!("integer :: n\nreal(8) :: x(n), y(n), x{s}(n), y{s}(n)");
    // One that ends by itself has time for that, however busy the machine is.
    let cases = [("do\nend do", 1, "didn't come to its end: stopped after 1 s"), ("error stop 9", 300, "ERROR STOP 9")];
    for (body, time_limit, how) in cases {
        let t = unit("_d", "n, x, x_d, y, y_d", &declare("_d"), body);
        let b = unit("_b", "n, x, x_b, y, y_b", &declare("_b"), "y_b = 0");
        let case = Case::new(USUAL, "f(y)/(x)").with(["n x x_d y y_d", "n x x_b y y_b"], &t, &b);
        let d = case.try_check(&CheckOptions { time_limit, ..CheckOptions::default() }).unwrap_err();
        assert!(
            d[0].message.starts_with("the tangent of `f(y)/(x)` ") && d[0].message.ends_with(how),
            "{}",
            d[0].message
        );
    }
}

#[test]
fn modules_are_set_up_by_the_users_procedures() {
    let text = "module m
  implicit none
  real(8), allocatable :: v(:)
  integer :: calls = 0
contains
  subroutine make()
    allocate(v(3:5), source=[2d0, 3d0, 4d0])
  end subroutine
  subroutine f(y)
    real(8), intent(out) :: y
    calls = calls + 1
    if (v(5) < 3.5d0) error stop 'not set up'
    y = sum(v**2)*calls
  end subroutine
end module
";
    let t = unit("_d", "y, y_d", "real(8) :: y, y_d", "calls = calls + 1\ny_d = 2*sum(v*v_d)\ny = sum(v**2)");
    let b = unit("_b", "y, y_b", "real(8) :: y, y_b", "v_b = v_b + 2*v*y_b\ny_b = 0");
    let array = |s: String| {
        s.replace("real(8) :: v_d = 0", "real(8), allocatable :: v_d(:)")
            .replace("real(8) :: v_b = 0", "real(8), allocatable :: v_b(:)")
    };
    let case = Case::new(text, "f(y)/(m::v)").with(["y y_d", "y y_b"], &array(t), &array(b));
    let with = |setup: &str| CheckOptions { setup: vec![setup.to_string()], ..CheckOptions::default() };
    assert!(case.check(&with("M::make")).passed());
    assert_eq!(case.try_check(&with("m::mak")).unwrap_err()[0].message, "no procedure `m::mak` is among the files");
    assert!(case.try_check(&with("make")).is_err() && case.try_check(&with("m::f")).is_err());
}

/// A primal with state that no driver can reach, and derivatives at its first state.
fn with_hidden_state(factor: &str) -> Report {
    let text = "module m
  implicit none
  integer, private :: calls = 0
contains
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8), save :: last = 1
    calls = calls + 1
    last = last + 1
    y = calls*last*x**2
  end subroutine
end module
";
    let t = unit("_d", "x, x_d, y, y_d", "real(8) :: x, x_d, y, y_d", "y_d = 4*x*x_d\ny = 2*x**2");
    let adjoint = format!("x_b = x_b + {factor}*x*y_b\ny_b = 0");
    let b = unit("_b", "x, x_b, y, y_b", "real(8) :: x, x_b, y, y_b", &adjoint);
    Case::new(text, "f(y)/(x)").with(["x x_d y y_d", "x x_b y y_b"], &t, &b).check(&CheckOptions::default())
}

#[test]
fn every_run_starts_from_the_same_state_reachable_or_not() {
    assert!(with_hidden_state("4").passed());
    let wrong = with_hidden_state("3.99999");
    assert_eq!((wrong.heads[0].whole.verdict, &wrong.heads[0].findings[..]), (Verdict::Wrong, &[][..]));
}

#[test]
fn state_that_counts_is_told() {
    let text = "module m
  implicit none
  integer :: calls = 0
contains
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    calls = calls + 1
    y = calls*x**2
  end subroutine
end module
";
    let t = unit("_d", "x, x_d, y, y_d", "real(8) :: x, x_d, y, y_d", "call f(x, y)\ny_d = 2*calls*x*x_d");
    let adjoint = "calls = calls + 1\nx_b = x_b + 2*calls*x*y_b\ny_b = 0";
    let b = unit("_b", "x, x_b, y, y_b", "real(8) :: x, x_b, y, y_b", adjoint);
    let case = Case::new(text, "f(y)/(x)").with(["x x_d y y_d", "x x_b y y_b"], &t, &b);
    let report = case.check(&CheckOptions::default());
    assert!(report.passed() && report.heads[0].notes[0].starts_with("a run leaves values behind"));
}
