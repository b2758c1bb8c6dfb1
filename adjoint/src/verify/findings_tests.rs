//! What is wrong beside the derivatives themselves is found.

use super::tests::{Case, unit};
use super::{CheckOptions, Fault, Flags, Report, Variant, Verdict};

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

#[test]
fn a_variable_that_gets_its_old_value_again_may_hold_anything_after_an_adjoint() {
    let primal = PRIMAL.replace("calls = steps + 1", "calls = 7; calls = 0");
    let tangent = TANGENT.replace("calls = steps + 1", "calls = 0");
    let declare = |s: &str| format!("real(8), intent(inout) :: x(3), x{s}(3), z, y, y{s}");
    let t = unit("_d", "x, x_d, z, y, y_d", &declare("_d"), &tangent);
    let b = unit("_b", "x, x_b, z, y, y_b", &declare("_b"), &format!("{ADJOINT}\ncalls = 7"));
    let case = Case::new(&primal, "f(y)/(x)").with(["x x_d z y y_d", "x x_b z y y_b"], &t, &b);
    assert!(case.check(&CheckOptions::default()).passed());
}

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
    assert!(d[0].help.as_deref().is_some_and(|h| h.contains("`--value m::unset=...`")), "{:?}", d[0].help);
    let given = CheckOptions { values: vec![("m::unset".to_string(), "0.5:0.6".to_string())], ..options.clone() };
    assert!(case.check(&given).passed());
    assert!(
        d[0].reason.as_deref().is_some_and(|r| r.ends_with(".f90:8 first; `m::unset` is not set")),
        "{:?}",
        d[0].reason
    );
}

#[test]
fn a_primal_that_leaves_its_bounds_is_named() {
    let flags = |v: Variant| Flags { variant: v, flags: v.flags("gfortran") };
    let options = CheckOptions { variants: vec![flags(Variant::Checked)], ..CheckOptions::default() };
    let text = "module m\n  implicit none\ncontains\n  subroutine f(k, x, y)\n    integer, intent(in) :: k\n    real(8), intent(in) :: x(3)\n    real(8), intent(out) :: y\n    y = x(k + 3)\n  end subroutine\nend module\n";
    let case = Case::new(text, "f(y)/(x)").generate([&str::to_string, &str::to_string]);
    let d = case.try_check(&options).unwrap_err();
    assert!(d[0].message.starts_with("the primal of `f(y)/(x)` leaves the bounds of an array at "), "{}", d[0].message);
    let (_, words) = d[0].message.split_once(":8: ").expect("a line");
    assert!(
        words.contains("Index '4' of dimension 1 of array 'x'")
            && d[0].help.as_deref().is_some_and(|h| h.contains("--value k=1"))
    );
}

#[test]
fn what_is_wrong_is_told_from_what_confirms_it() {
    let (wrong_tangent, wrong_adjoint) = (TANGENT.replace("2*sum(", "3*sum("), ADJOINT.replace("2*x*", "3*x*"));
    for (tangent, adjoint, fault, means, place) in [
        (TANGENT, &*wrong_adjoint, Fault::Adjoint, "the adjoint is wrong", "(3 of the 3 elements looked at are wrong)"),
        (&wrong_tangent, ADJOINT, Fault::Tangent, "the tangent is wrong", "most in element 1 of `y`"),
        (&wrong_tangent, &wrong_adjoint, Fault::Same, "tangent and adjoint agree", "`--seed 7`"),
        (&wrong_tangent, &wrong_adjoint.replace('3', "4"), Fault::Both, "both differ", "where the tangent gives"),
    ] {
        let report = check(tangent, adjoint);
        let head = &report.heads[0];
        assert!(head.is_wrong() && head.pairs[0].figures.fault == Some(fault), "{report}");
        let text = head.explanations.join("\n");
        assert!(text.starts_with("`y` / `x`: ") && text.contains(means) && text.contains(place), "{text}");
    }
    assert!(check(TANGENT, ADJOINT).heads[0].explanations.is_empty());
}

/// What the derivative of an output holds before a tangent counts for nothing where the primal overwrites the output.
#[test]
fn tangents_overwrite_what_the_derivatives_of_outputs_hold() {
    let report = check(&TANGENT.replace("y_d = ", "y_d = y_d + "), ADJOINT);
    assert_eq!(report.heads[0].pairs[0].figures.fault, Some(Fault::Tangent));
}

/// The wrong statement is in a called procedure, or in the head's own.
#[test]
fn a_called_procedure_that_is_wrong_by_itself_is_named() {
    let found = |of_g: &str, of_f: &str| {
        let text = format!(
            "module m\n  implicit none\ncontains\n  subroutine g(x, u)\n    real(8), intent(in) :: x\n    real(8), intent(out) :: u\n    u = {of_g}\n  end subroutine\n  subroutine h(x, u)\n    real(8), intent(in) :: x\n    real(8), intent(out) :: u\n    u = exp(x)\n  end subroutine\n  subroutine f(x, y)\n    real(8), intent(in) :: x\n    real(8), intent(out) :: y\n    real(8) :: u, v\n    call h(x, v)\n    call g(v, u)\n    y = {of_f}\n  end subroutine\nend module\n"
        );
        let options = CheckOptions { altered: Some(|t| t.replace("cos(", "sin(")), ..CheckOptions::default() };
        Case::new(&text, "f(y)/(x)").check_whole(&options)
    };
    let report = found("sin(x)", "u");
    assert!(report.heads[0].explanations.iter().any(|t| t.starts_with("`m::g`, which it calls, is wrong")), "{report}");
    let report = found("x", "sin(u)");
    let expected = "right by themselves: `m::h`, `m::g`; the difference starts in the statements of `f`";
    assert!(report.heads[0].explanations.iter().any(|t| t.starts_with(expected)), "{report}");
}

/// What is generated is wrong for one kind of statement, in the head's procedure or in one that it calls.
#[test]
fn the_statement_is_named_where_the_difference_starts() {
    let text = "module m\n  implicit none\ncontains\n  subroutine g(x, u)\n    real(8), intent(in) :: x\n    real(8), intent(out) :: u\n    real(8) :: a\n    a = x*x\n    u = a + exp(x)\n  end subroutine\n  subroutine f(n, x, y)\n    integer, intent(in) :: n\n    real(8), intent(in) :: x(n)\n    real(8), intent(out) :: y\n    real(8) :: t(n), s\n    integer :: i\n    s = 0\n    do i = 1, n\n      call g(x(i), t(i))\n      s = s + t(i)*x(i)\n    end do\n    y = s + sin(s)\n  end subroutine\nend module\n";
    let case = Case::new(text, "f(y)/(x)");
    let found = |altered: fn(&str) -> String| {
        let options = CheckOptions { altered: Some(altered), ..CheckOptions::default() };
        case.check_whole(&options).heads[0].explanations.join("\n")
    };
    let said = found(|t| t.replace("cos(", "sin("));
    assert!(said.contains("the difference starts in ") && said.contains(":22: `y = s + sin(s)`\n"), "{said}");
    let said = found(|t| t.replace(" = exp(", " = 2*exp(").replace("+ exp(x)*", "+ 2*exp(x)*"));
    assert!(said.contains("`m::g`, which it calls, is wrong") && said.contains(":9: `u = a + exp(x)`\n"), "{said}");
}

/// An adjoint that only negative numbers, only other conditions or only other sizes show to be wrong.
#[test]
fn other_values_and_sizes_show_what_those_asked_for_hide() {
    let text = |expression: &str| {
        format!(
            "module m\n  implicit none\ncontains\n  subroutine f(n, squares, x, y)\n    integer, intent(in) :: n\n    logical, intent(in) :: squares\n    real(8), intent(in) :: x(n)\n    real(8), intent(out) :: y\n    y = {expression}\n  end subroutine\nend module\n"
        )
    };
    let declare = |s: &str| format!("integer :: n\nlogical :: squares\nreal(8) :: x(n), x{s}(n), y, y{s}");
    let check = |primal: &str, slope: &str, adjoint: &str| {
        let t =
            unit("_d", "n, squares, x, x_d, y, y_d", &declare("_d"), &format!("y_d = sum({slope}*x_d)\ny = {primal}"));
        let b =
            unit("_b", "n, squares, x, x_b, y, y_b", &declare("_b"), &format!("x_b = x_b + ({adjoint})*y_b\ny_b = 0"));
        let args = ["n squares x x_d y y_d", "n squares x x_b y y_b"];
        Case::new(&text(primal), "f(y)/(x)").with(args, &t, &b).check(&CheckOptions::default())
    };
    let says = |report: &Report, words: &str| report.to_string().contains(words);
    let both_signs = "this is so with numbers of both signs (the next seed)";
    for (primal, slope, adjoint) in
        [("sum(abs(x))", "sign(1d0, x)", "1"), ("sum(x**merge(2, 3, squares))", "merge(2*x, 3*x**2, squares)", "2*x")]
    {
        assert!(check(primal, slope, slope).passed());
        let report = check(primal, slope, adjoint);
        assert!(report.heads[0].is_wrong() && says(&report, both_signs), "{report}");
    }
    // The square root takes positive numbers only.
    let (primal, slope) = ("sum(sqrt(x))*n", "(0.5d0*n/sqrt(x))");
    assert!(check(primal, slope, slope).passed());
    let report = check(primal, slope, &slope.replace('n', "8"));
    assert!(report.heads[0].is_wrong() && says(&report, "(of the seed after the next)"), "{report}");
    // This program takes none but those asked for.
    let (primal, slope) = ("sum(sqrt(x))/sqrt(n - 7d0)", "(0.5d0/sqrt(x)/sqrt(n - 7d0))");
    let report = check(primal, slope, slope);
    assert!(report.passed() && says(&report, "verified for one set of values"), "{report}");
}
