//! What is wrong beside the derivatives themselves is found.

use super::tests::{Case, unit};
use super::{CheckOptions, Flags, Report, Variant, Verdict};

/// A primal that changes a dummy and a module variable that aren't in the head, and leaves others alone.
const PRIMAL: &str = "module m
  implicit none
  integer :: calls = 0, steps = 3
contains
  subroutine f(x, z, y)
    real(8), intent(inout) :: x(3), z
    real(8), intent(inout) :: y
    calls = steps + 1
    z = 2*x(1)
    y = sum(x**2)
  end subroutine
end module
";

const TANGENT: &str = "calls = steps + 1
z = 2*x(1)
y_d = 2*sum(x*x_d)
y = sum(x**2)";

const ADJOINT: &str = "x_b = x_b + 2*x*y_b
y_b = 0";

fn check(tangent: &str, adjoint: &str) -> Report {
    let declare = |s: &str| format!("real(8), intent(inout) :: x(3), x{s}(3), z, y, y{s}");
    let t = unit("_d", "x, x_d, z, y, y_d", &declare("_d"), tangent);
    let b = unit("_b", "x, x_b, z, y, y_b", &declare("_b"), adjoint);
    Case::new(PRIMAL, "f(y)/(x)").with(["x x_d z y y_d", "x x_b z y y_b"], &t, &b).check(&CheckOptions::default())
}

fn messages(report: &Report) -> Vec<&str> {
    assert_eq!(report.passed(), report.heads[0].findings.is_empty());
    report.heads[0].findings.iter().map(|f| f.message.as_str()).collect()
}

#[test]
fn other_variables_are_left_as_the_primal_leaves_them() {
    assert!(check(TANGENT, ADJOINT).passed());
    for (drop, found) in [
        ("calls = steps + 1", "the tangent leaves another value in `m::calls` than the primal"),
        ("z = 2*x(1)", "the tangent leaves another value in `z` than the primal"),
    ] {
        assert_eq!(messages(&check(&TANGENT.replace(drop, ""), ADJOINT)), [found]);
    }
    for (more, found) in [
        ("steps = 7", "the adjoint changes `m::steps`, which the primal leaves as it is"),
        ("x(2) = 0", "the adjoint changes `x`, which the primal leaves as it is"),
    ] {
        assert_eq!(messages(&check(TANGENT, &format!("{ADJOINT}\n{more}"))), [found]);
    }
    // The primal's outputs may hold anything after an adjoint.
    assert!(check(TANGENT, &format!("{ADJOINT}\nz = 0\ncalls = 9")).passed());
}

#[test]
fn increments_and_outputs_are_found_without_intents() {
    let report = check(TANGENT, &ADJOINT.replace("x_b + ", ""));
    assert_eq!(
        messages(&report),
        ["the adjoint of `x` isn't increased by its increment: what it held on entry is lost"]
    );
    let report = check(TANGENT, &ADJOINT.replace("y_b = 0", ""));
    assert_eq!(messages(&report), ["the adjoint of the output `y` isn't zero on exit"]);
}

#[test]
fn a_tangent_that_keeps_state_is_found() {
    let leaking = TANGENT.replace("y_d = 2", "v_d = v_d + 1\ny_d = (1 + v_d)");
    assert_eq!(messages(&check(&leaking, ADJOINT)), ["a second run of the tangent gives another derivative of `y`"]);
}

/// Terms that cancel in the primal leave rounding errors in the adjoint, of which nothing is known to be wrong.
#[test]
fn exact_cancellation_is_hidden_by_rounding_errors() {
    for kind in [8, 4] {
        let text = format!(
            "module m\n  implicit none\ncontains\n  subroutine f(x, y)\n    real({kind}), intent(in) :: x(4)\n    real({kind}), intent(out) :: y\n    y = sum(sin(x))*(x(1) - x(1)) + x(2) - x(2)\n  end subroutine\nend module\n"
        );
        let declare = |s: &str| format!("real({kind}) :: x(4), y, x{s}(4), y{s}, c(4)");
        let t = unit("_d", "x, x_d, y, y_d", &declare("_d"), "y_d = 0\ny = 0");
        let adjoint = "c = exp(x)/3\nx_b = x_b + y_b*((c*1.1_8 - c) - 0.1_8*c)\ny_b = 0";
        let b = unit("_b", "x, x_b, y, y_b", &declare("_b"), &adjoint.replace("_8", &format!("_{kind}")));
        let case = Case::new(&text, "f(y)/(x)").with(["x x_d y y_d", "x x_b y y_b"], &t, &b);
        let report = case.check(&CheckOptions::default());
        assert!(!report.heads[0].is_wrong() && !report.passed());
        assert_eq!(report.heads[0].whole.verdict, Verdict::NoInfluence);
    }
}

#[test]
fn values_that_nothing_sets_are_named() {
    let flags = |v: Variant| Flags { variant: v, flags: v.flags("gfortran") };
    let options = CheckOptions { variants: Variant::ALL.map(flags).to_vec(), ..CheckOptions::default() };
    let text = "module m\n  implicit none\n  real(8) :: unset\ncontains\n  subroutine f(x, y)\n    real(8), intent(in) :: x\n    real(8), intent(out) :: y\n    y = x**2 + unset\n  end subroutine\nend module\n";
    let declare = |s: &str| format!("real(8) :: x, y, x{s}, y{s}");
    let t = unit("_d", "x, x_d, y, y_d", &declare("_d"), "y_d = 2*x*x_d\ny = x**2 + unset");
    let b = unit("_b", "x, x_b, y, y_b", &declare("_b"), "x_b = x_b + 2*x*y_b\ny_b = 0");
    let case = Case::new(text, "f(y)/(x)").with(["x x_d y y_d", "x x_b y y_b"], &t, &b);
    let d = case.try_check(&options).unwrap_err();
    assert_eq!(d[0].message, "the primal of `f(y)/(x)` depends on a value that nothing sets");
    assert!(d[0].reason.as_deref().is_some_and(|r| r.ends_with(".f90:8 first")), "{:?}", d[0].reason);
}

#[test]
fn a_primal_that_leaves_its_bounds_is_named() {
    let flags = |v: Variant| Flags { variant: v, flags: v.flags("gfortran") };
    let options = CheckOptions { variants: vec![flags(Variant::Checked)], ..CheckOptions::default() };
    let text = "module m\n  implicit none\ncontains\n  subroutine f(k, x, y)\n    integer, intent(in) :: k\n    real(8), intent(in) :: x(3)\n    real(8), intent(out) :: y\n    y = x(k + 3)\n  end subroutine\nend module\n";
    let case = Case::new(text, "f(y)/(x)").generate([&str::to_string, &str::to_string]);
    let d = case.try_check(&options).unwrap_err();
    assert!(d[0].message.starts_with("the primal of `f(y)/(x)` leaves the bounds of an array at "), "{}", d[0].message);
    assert!(d[0].message.ends_with(":8") && d[0].help.as_deref().is_some_and(|h| h.contains("--value k=1")));
}
