//! Damaged derivatives are judged wrong: terms dropped down to a millionth of the whole, signs, factors, blocks.

use super::tests::Case;
use super::{CheckOptions, Report, Verdict};

/// A nonlinear output, a linear one, and one that hardly depends on the inputs.
const PRIMAL: &str = "module m
  implicit none
  integer, parameter :: wp = KIND
contains
  subroutine f(n, x, z, y, w, v)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n), z(n)
    real(wp), intent(out) :: y(n), w(n), v
    integer :: i
    do i = 1, n
      y(i) = x(i)**2*z(1) + PART*sin(x(i))
      w(i) = 3*x(i) + z(n+1-i) + PART*x(i)
    end do
    v = 1 + WEAK*(sum(x**3) + PART*sum(sin(x)))
  end subroutine
end module
";

const TANGENT: &str = "module m_d
  use m
  implicit none
contains
  subroutine f_d(n, x, x_d, z, z_d, y, y_d, w, w_d, v, v_d)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n), x_d(n), z(n), z_d(n)
    real(wp), intent(out) :: y(n), y_d(n), w(n), w_d(n), v, v_d
    integer :: i
    do i = 1, n
      y_d(i) = 2*x(i)*z(1)*x_d(i) + x(i)**2*z_d(1) + PART_Y*cos(x(i))*x_d(i)
      w_d(i) = 3*x_d(i) + z_d(n+1-i) + PART_W*x_d(i)
    end do
    v_d = WEAK*(3*sum(x**2*x_d) + PART_V*sum(cos(x)*x_d))
    call f(n, x, z, y, w, v)
  end subroutine
end module
";

const ADJOINT: &str = "module m_b
  use m
  implicit none
contains
  subroutine f_b(n, x, x_b, z, z_b, y, y_b, w, w_b, v, v_b)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n), z(n)
    real(wp), intent(inout) :: x_b(n), z_b(n), y(n), y_b(n), w(n), w_b(n), v, v_b
    integer :: i
    x_b = x_b + WEAK*v_b*(3*x**2 + PART_V*cos(x))
    v_b = 0
    do i = 1, n
      x_b(i) = x_b(i) + 3*w_b(i) + PART_W*w_b(i)
      z_b(n+1-i) = z_b(n+1-i) + w_b(i)
      w_b(i) = 0
      x_b(i) = x_b(i) + 2*x(i)*z(1)*y_b(i) + PART_Y*cos(x(i))*y_b(i)
      z_b(1) = z_b(1) + x(i)**2*y_b(i)
      y_b(i) = 0
    end do
  end subroutine
end module
";

/// The report on tangent and adjoint code, where `PART` is a number and `PART_Y` stands for it where nothing is dropped.
fn check(kind: u8, part: &str, tangent: &str, adjoint: &str) -> Report {
    let fill = |text: &str| {
        let text = ["PART_Y", "PART_W", "PART_V", "PART"].iter().fold(text.to_string(), |t, p| t.replace(p, part));
        text.replace("WEAK", "1e-4_wp").replace("KIND", &kind.to_string())
    };
    let args = ["n x x_d z z_d y y_d w w_d v v_d", "n x x_b z z_b y y_b w w_b v v_b"];
    let case = Case::new(&fill(PRIMAL), "f(y,w,v)/(x,z)").with(args, &fill(tangent), &fill(adjoint));
    case.check(&CheckOptions::default())
}

/// Blocks that are judged wrong, as `output/input`.
fn wrong(report: &Report) -> Vec<String> {
    assert_eq!(report.heads[0].findings, []);
    let pairs = report.heads[0].pairs.iter().filter(|p| p.figures.verdict == Verdict::Wrong);
    let list: Vec<String> = pairs.map(|p| format!("{}/{}", p.output, p.input)).collect();
    assert_eq!(list.is_empty(), report.passed());
    list
}

#[test]
fn undamaged_derivatives_are_right() {
    for kind in [8, 4] {
        for part in ["0.1_wp", "1e-6_wp"] {
            let report = check(kind, part, TANGENT, ADJOINT);
            assert!(report.passed());
            let figures = |output: &str| {
                report.heads[0].pairs.iter().find(|p| p.output == output && p.input == "z").map(|p| p.figures.verdict)
            };
            assert_eq!((figures("y"), figures("v")), (Some(Verdict::Right), Some(Verdict::NoInfluence)));
        }
    }
}

/// Tangent and adjoint without a term of one output's derivative: in one of them, or in both.
fn dropped(output: &str) -> [(String, String); 3] {
    let damage = |text: &str| text.replace(&format!("PART_{}", output.to_uppercase()), "0");
    [(damage(TANGENT), ADJOINT.to_string()), (TANGENT.to_string(), damage(ADJOINT)), (damage(TANGENT), damage(ADJOINT))]
}

/// Expects a dropped term to be found in its block.
fn found(kind: u8, part: &str, output: &str) {
    for (tangent, adjoint) in dropped(output) {
        let blocks = wrong(&check(kind, part, &tangent, &adjoint));
        assert_eq!(blocks, [format!("{output}/x")], "kind {kind}, {part} of the derivative of {output} is missing");
    }
}

#[test]
fn a_dropped_millionth_is_found_in_double() {
    for output in ["y", "w", "v"] {
        found(8, "1e-6_wp", output);
    }
}

#[test]
fn large_dropped_terms_are_found_in_double() {
    for part in ["0.1_wp", "1e-3_wp"] {
        found(8, part, "y");
        found(8, part, "v");
    }
}

#[test]
fn dropped_terms_are_found_in_single() {
    for output in ["y", "w"] {
        found(4, "1e-3_wp", output);
    }
}

#[test]
fn a_weak_block_in_single_isnt_called_right() {
    for (tangent, adjoint) in dropped("v") {
        let report = check(4, "0.1_wp", &tangent, &adjoint);
        let block = report.heads[0].pairs.iter().find(|p| p.output == "v" && p.input == "x");
        let verdict = block.map(|p| p.figures.verdict);
        assert!(matches!(verdict, Some(Verdict::Wrong | Verdict::Hidden)), "{verdict:?}");
    }
}

#[test]
fn signs_factors_and_blocks_are_found() {
    // What is damaged, in tangent and in adjoint, and the blocks that are wrong when both are.
    let damages: &[(&str, &str, &str, &str, &[&str])] = &[
        ("+ x(i)**2*z_d(1)", "- x(i)**2*z_d(1)", "+ x(i)**2*y_b(i)", "- x(i)**2*y_b(i)", &["y/z"]),
        ("+ z_d(n+1-i)", "- z_d(n+1-i)", "z_b(n+1-i) + w_b(i)", "z_b(n+1-i) - w_b(i)", &["w/z"]),
        ("2*x(i)*z(1)", "x(i)*z(1)", "2*x(i)*z(1)", "x(i)*z(1)", &["y/x"]),
        ("3*x_d(i)", "6*x_d(i)", "3*w_b(i)", "6*w_b(i)", &["w/x"]),
        ("z_d(n+1-i)", "z_d(i)", "z_b(n+1-i) = z_b(n+1-i)", "z_b(i) = z_b(i)", &["w/z"]),
        (
            "+ z_d(n+1-i)",
            "+ x_d(n+1-i)",
            "z_b(n+1-i) = z_b(n+1-i) + w_b(i)",
            "x_b(n+1-i) = x_b(n+1-i) + w_b(i)",
            &["w/x", "w/z"],
        ),
    ];
    for (i, (t, t2, b, b2, blocks)) in damages.iter().enumerate() {
        let kind = if i % 2 == 0 { 8 } else { 4 };
        let tangent = TANGENT.replace(t, t2);
        let adjoint = ADJOINT.replace(b, b2);
        assert!(tangent != TANGENT && adjoint != ADJOINT);
        for (tangent, adjoint) in
            [(tangent.as_str(), ADJOINT), (TANGENT, adjoint.as_str()), (tangent.as_str(), adjoint.as_str())]
        {
            assert_eq!(wrong(&check(kind, "0.1_wp", tangent, adjoint)), *blocks, "kind {kind}, {t} and {b}");
        }
    }
}

/// `y` is computed in double, `z` passes through single precision.
const MIXED: &str = "module m
  implicit none
contains
  subroutine f(n, x, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), z(n)
    real(4) :: t
    integer :: i
    do i = 1, n
      y(i) = exp(0.1d0*x(i))
      t = real(x(i)**2, 4)
      z(i) = x(i)*t
    end do
  end subroutine
end module
";

/// The report on generated code of mixed precision in which a text is replaced: in the tangent, and in the adjoint.
fn mixed(tangent: [&str; 2], adjoint: [&str; 2]) -> Report {
    let damage = |[from, to]: [&str; 2]| {
        let [from, to] = [from, to].map(str::to_string);
        move |text: &str| {
            assert!(text.contains(&from), "{from} isn't in\n{text}");
            text.replace(&from, &to)
        }
    };
    let case = Case::new(MIXED, "f(y,z)/(x)").generate([&damage(tangent), &damage(adjoint)]);
    case.check(&CheckOptions::default())
}

#[test]
fn errors_above_single_precision_are_found_where_precisions_mix() {
    let (t, b) = ("2.0d0*x(i)*", "2.0d0*x(i)*");
    let report = mixed([t, t], [b, b]);
    assert_eq!(wrong(&report), [""; 0]);
    assert_eq!(report.heads[0].notes, ["`z` is compared with the accuracy of kind 4: `t` in `f` is real(4)"]);
    let damaged = "2.002d0*x(i)*";
    for (tangent, adjoint) in [(damaged, b), (t, damaged), (damaged, damaged)] {
        assert_eq!(wrong(&mixed([t, tangent], [b, adjoint])), ["z/x"]);
    }
}

#[test]
fn outputs_in_double_stay_sharp_where_precisions_mix() {
    let (sound, damaged) = ("exp(0.1d0*x(i))*", "1.000001d0*exp(0.1d0*x(i))*");
    for (tangent, adjoint) in [(damaged, sound), (sound, damaged), (damaged, damaged)] {
        assert_eq!(wrong(&mixed([sound, tangent], [sound, adjoint])), ["y/x"]);
    }
}
