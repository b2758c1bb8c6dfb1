//! What a run says of sources that it can't follow: one message a fault, only what matters to the head, the way out.

use std::path::Path;
use std::process::{Command, Output};

fn costate(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_costate")).args(args).current_dir(folder).output().unwrap()
}

/// The exit status and standard error of differentiating `m::f(y)/(x)` in a text.
fn adjoint_of(text: &str) -> (Option<i32>, String) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("m.f90"), text).unwrap();
    let out = costate(dir.path(), &["adjoint", "m.f90", "--head", "m::f(y)/(x)"]);
    (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
}

/// A module with `uses` before its declarations and `body` in the head's procedure.
fn module(uses: &str, body: &str) -> String {
    format!(
        "module m\n{uses}\n  implicit none\n  real(8) :: state = 1\ncontains\n  subroutine f(x, y)\n    real(8), intent(in) :: x(3)\n    \
         real(8), intent(out) :: y\n    integer :: i\n    state = x(1)\n    y = x(2)\n{body}\n    y = y*state\n  end subroutine\n\
         end module\n"
    )
}

#[test]
fn each_faulty_statement_is_named_once() {
    let body =
        "y = (x(1) + x(2)\n do i = 1, 3\n if (x(i > 2) then\n y = y + 1\n else\n y = y*2\n end if\n end do\n y = y $ 3";
    let (code, text) = adjoint_of(&module("", body));
    assert_eq!(code, Some(3));
    assert_eq!(text.matches("error[C0107]").count(), 3, "{text}");
    for line in ["m.f90:12:", "m.f90:14:", "m.f90:20:"] {
        assert!(text.contains(line), "{text}");
    }
    assert!(text.contains("3 errors"));
}

#[test]
fn refusals_of_both_modes_come_in_one_list() {
    let dir = tempfile::tempdir().unwrap();
    // The call without source is refused before any code is built, the others then.
    let text = module("", "call random_number(y)\n if (x(1) > 0) call nowhere(y)\n call random_number(y)");
    std::fs::write(dir.path().join("m.f90"), text).unwrap();
    for command in ["check", "adjoint"] {
        let out = costate(dir.path(), &[command, "m.f90", "--head", "m::f(y)/(x)"]);
        let text = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(3), "{text}");
        let lines: Vec<&str> = text.lines().filter(|l| l.trim_start().starts_with("-->")).map(str::trim).collect();
        assert_eq!(lines, ["--> m.f90:12:1", "--> m.f90:13:16", "--> m.f90:14:2"], "{text}");
        assert!(text.ends_with("3 errors\n"), "{text}");
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_missing_module_matters_by_its_names() {
    let (code, text) = adjoint_of(&module("  use nomod, only: q", ""));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("warning[C0201]"), "{text}");
    let (code, text) = adjoint_of(&module("  use nomod, only: q", "y = y*q"));
    assert_eq!(code, Some(3));
    assert!(text.contains("error["), "{text}");
    let (code, _) = adjoint_of(&module("  use nomod", ""));
    assert_eq!(code, Some(3));
}

#[test]
fn what_a_missing_module_gives_is_said() {
    let own = "module q\n  use nomod\n  implicit none\n  real(wp), save :: a\n  real(8) :: b(n), c = 2\n  common /block/ b\n\
               end module\n";
    let of = |body: &str| adjoint_of(&format!("{own}{}", module("  use q", body)));
    // The size of a common block, and the kind of a variable.
    let (code, text) = of("b(1) = x(3)\n y = y*b(1)");
    assert_eq!(code, Some(3));
    assert!(text.contains("error[C0404]") && text.contains("the module `nomod` isn't among the files"), "{text}");
    let (code, text) = of("a = x(3)\n y = y*a");
    assert_eq!(code, Some(3));
    assert!(text.contains("error[C0206]") && text.contains("it may belong to the module `nomod`"), "{text}");
    assert_eq!(of("y = y*c").0, Some(0));
}

#[test]
fn what_fortran_leaves_open_is_said() {
    let of = |head: &str, call: &str| {
        let more = format!(
            "{call}\n  end subroutine\n  function g(a) result(r)\n    real(8) :: a, r\n    {head}\n    r = 2*a\n  end function\n  \
             subroutine s(a, b)\n    real(8) :: a, b\n    a = a*b\n    b = a"
        );
        adjoint_of(&module("", &more).replace("b = a\n    y = y*state", "b = a"))
    };
    let undefined = [("y = g(y)*state", 3), ("y = exp(state) + g(y)", 3), ("if (g(y) > state) y = 1", 0)];
    for (statement, status) in undefined {
        let (code, text) = of("state = 3*a", statement);
        assert_eq!(code, Some(status), "{statement}: {text}");
        assert!(text.contains("`g` changes `state`, which the statement uses beside the function"), "{text}");
    }
    for fine in ["y = g(g(y)) + g(2*y)", "state = g(y)", "call s(state, y)", "y = y*max(g(y), 1d0)"] {
        let (code, text) = of("state = 3*a", fine);
        assert_eq!((code, text.as_str()), (Some(0), ""), "{fine}");
    }
    let (code, text) = of("r = 0", "call s(2d0, y)");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("warning[C0410]: `s` assigns its argument `a`, and `2d0` is no variable"), "{text}");
}

#[test]
fn calls_after_which_the_program_ends_have_no_part_in_derivatives() {
    let (code, text) = adjoint_of(&module("", "if (y > 1d30) then\n call stop_model('too large')\n stop 1\n end if"));
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = adjoint_of(&module("", "if (y > 1d30) call stop_model('too large')"));
    assert_eq!(code, Some(3));
    assert!(text.contains("add its source file") && text.contains("`!$ad inactive`"), "{text}");
}

#[test]
fn no_source_is_asked_for_where_there_is_none() {
    let c = "    interface\n subroutine log_c() bind(c)\n end subroutine\n end interface";
    let text = module("", "call log_c()").replace("    integer :: i", &format!("{c}\n    integer :: i"));
    let (code, text) = adjoint_of(&text);
    assert_eq!(code, Some(3));
    assert!(!text.contains("add its source file") && text.contains("`!$ad inactive`"), "{text}");
}

#[test]
fn a_directive_without_effect_is_told_of() {
    let (code, text) = adjoint_of(&module("", "!$ad ii-loop\n do i = 1, 3\n y = y*x(i)\n end do"));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("warning[C0409]: `!$ad ii-loop` isn't followed"), "{text}");
}

const SINGLE: &str = "module m
  integer, parameter :: wp = kind(1.0)
contains
  subroutine f(x, y)
    implicit none
    real, intent(in) :: x(3)
    real, intent(out) :: y
    real(wp) :: a
    real(4) :: s
    double precision :: d
    a = x(1)*0.1
    d = a**2*1d-1
    s = x(2)
    s = sin(s)*2
    y = d*x(3) + s + a*real(2)
  end subroutine
end module
";

#[test]
fn default_reals_may_be_double() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("m.f90"), SINGLE).unwrap();
    let with = |options: &[&str]| {
        let out =
            costate(dir.path(), &[&["adjoint", "m.f90", "--head", "m::f(y)/(x)", "-o", "b.f90"], options].concat());
        assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
        std::fs::read_to_string(dir.path().join("b.f90")).unwrap()
    };
    let usual = with(&[]);
    assert!(usual.contains("real :: s_b") || usual.contains("real(4) :: s_b"), "{usual}");
    // A difference of kinds needs a conversion, and no other does.
    assert!(usual.contains("real(d*y_b)") || usual.contains("real(d"), "{usual}");
    for option in [&["-r8"][..], &["--default-real", "8"]] {
        let wide = with(option);
        assert!(wide.contains("real(4) :: s_b") && wide.contains("kind=4"), "{wide}");
        assert!(!wide.contains("real(d"), "{wide}");
    }
    let out = costate(dir.path(), &["adjoint", "m.f90", "--head", "m::f", "--default-real", "5"]);
    assert_eq!(out.status.code(), Some(2));
}

const SQUARE: &str = "module a
contains
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = x**2
  end subroutine
  subroutine g(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: r
    y = 0
    do r = 1d0, x, 0.5d0
      y = y + r*x
    end do
  end subroutine
  subroutine p(n)
    integer, intent(in) :: n
    print *, n
  end subroutine
end module
";

#[test]
fn faults_of_other_files_are_warnings() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.f90"), SQUARE).unwrap();
    std::fs::write(dir.path().join("b.f90"), "module b\ncontains\nsubroutine h(x)\nreal(8) :: x\n").unwrap();
    let out = costate(dir.path(), &["adjoint", "a.f90", "b.f90", "--head", "a::f(y)/(x)"]);
    let text = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{text}");
    assert!(text.contains("warning[C0106]"), "{text}");
    // The same matters where a procedure without source may be the one that couldn't be read.
    std::fs::write(dir.path().join("a.f90"), SQUARE.replace("y = x**2", "call h(y)")).unwrap();
    let out = costate(dir.path(), &["adjoint", "a.f90", "b.f90", "--head", "a::f(y)/(x)"]);
    assert_eq!(out.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&out.stderr).contains("error[C0106]"));
}

#[test]
fn survey_counts_many_refusals() {
    let dir = tempfile::tempdir().unwrap();
    let body = "call random_number(y)\n".repeat(5) + "call nowhere(y)";
    std::fs::write(dir.path().join("m.f90"), module("", &body)).unwrap();
    let out = costate(dir.path(), &["survey", "m.f90"]);
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(text.contains("refused: C0410 (5), C0405 (1)\n"), "{text}");
}

#[test]
fn survey_says_what_can_be_differentiated() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.f90"), SQUARE).unwrap();
    let out = costate(dir.path(), &["survey", "a.f90"]);
    let text = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{text}");
    let want = "a.f90
  a::f  tangent and adjoint
  a::g  refused: C0401 at a.f90:13
  a::p  no real inputs and outputs among its arguments
1 of 2 procedures with real inputs and outputs have tangent and adjoint, 0 a tangent only, 1 are refused; 1 reason
";
    assert_eq!(text, want);
    let messages = String::from_utf8_lossy(&out.stderr);
    assert_eq!(messages.matches("this loop counts in reals").count(), 1, "{messages}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    let out = costate(dir.path(), &["survey", "nothing.f90"]);
    assert_eq!(out.status.code(), Some(3));
}

#[test]
fn intrinsics_without_derivatives_are_told_from_procedures_without_source() {
    // With and without a type, as `implicit none` asks for one.
    let text = module("", "y = reduce(x, state)");
    for text in [text.clone(), text.replace("implicit none", "")] {
        let (code, text) = adjoint_of(&text);
        assert_eq!(code, Some(3));
        let says = |what| text.matches(what).count();
        assert!(says("intrinsic procedure") > 0 && says("a loop for a reduction") == says("error["), "{text}");
    }
}

#[test]
fn a_procedure_component_is_no_binding() {
    let declared = "  type s\n    procedure(twice), pointer, nopass :: p => null()\n  end type";
    let own =
        "  pure real(8) function twice(a)\n    real(8), intent(in) :: a\n    twice = 2*a\n  end function\nend module";
    let text = module("", "y = o%p(x(3))")
        .replace("  real(8) :: state", &format!("{declared}\n  real(8) :: state"))
        .replace("integer :: i", "type(s) :: o")
        .replace("end module", own);
    let (code, text) = adjoint_of(&text);
    assert_eq!(code, Some(3));
    assert!(text.contains("a procedure pointer component is called") && !text.contains("dynamic type"), "{text}");
}

#[test]
fn arguments_that_numbers_keep_apart_are_compared_when_the_code_runs() {
    let text = "module m\n  implicit none\ncontains\n  subroutine add(a, b)\n    real(8), intent(in) :: a(2)\n    real(8), \
                intent(inout) :: b(2)\n    b = b*a\n  end subroutine\n  subroutine f(i, j, x, y)\n    integer, intent(in) :: i, \
                j\n    real(8), intent(in) :: x(2)\n    real(8), intent(out) :: y\n    real(8) :: u(2, 3)\n    u = 1\n    \
                u(:, i) = x\n    call add(u(:, i), u(:, j))\n    y = sum(u)\n  end subroutine\nend module\n";
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("m.f90"), text).unwrap();
    let says = |args: &[&str], code: i32, what: &str| {
        let out = costate(dir.path(), args);
        let text = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(code), "{text}");
        assert!(text.contains(what), "{text}");
    };
    let head = ["--head", "m::f(y)/(x)", "m.f90"];
    says(&[&["adjoint"][..], &head].concat(), 0, "generated code stops before the call");
    says(&[&["check", "--value", "i=1", "--value", "j=2"][..], &head].concat(), 0, "");
    says(&[&["check", "--value", "i=1", "--value", "j=1"][..], &head].concat(), 1, "are the same elements");
}

#[test]
fn a_wrong_procedure_that_a_directive_names_leads_to_the_directive() {
    let solve = |name: &str, told: &str, factor: &str| {
        format!(
            "subroutine {name}(n, a, b)\n  integer, intent(in) :: n\n  real(8), intent(in) :: a(n, n)\n  real(8), intent(inout) \
             :: b(n)\n{told}\n  b(1) = b(1)/(3 + a(1, 1)){factor}\nend subroutine\n"
        )
    };
    let told = "  !$ad linear-solve matrix(a) triangle(upper) rhs(b) transposed(solve_t)";
    let text = format!("module m\ncontains\n{}{}end module\n", solve("solve", told, ""), solve("solve_t", "", "*2"));
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("m.f90"), text).unwrap();
    let args = ["check", "m.f90", "--head", "m::solve(b)/(b)", "--size", "n=1", "--build", "optimised"];
    let out = costate(dir.path(), &args);
    let said = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("you vouch for `!$ad linear-solve` in `solve`"), "{said}");
}

#[test]
fn what_keeps_a_region_from_passing_is_said() {
    let around = |directive: &str, inner: &str, end: &str| format!("!$omp {directive}\n{inner}\n!$omp end {end}");
    let cases = [
        (around("parallel reduction(mine: i)", "i = i + 1", "parallel"), "(reduction(mine: i))"),
        (around("parallel private(k)", "i = 1", "parallel"), "a clause lists `k`"),
    ];
    for (body, reason) in cases {
        let (code, text) = adjoint_of(&module("", &body));
        assert_eq!(code, Some(3), "{body}\n{text}");
        assert!(text.contains("m.f90:12:") && text.contains(reason), "{body}\n{text}");
    }
    let (code, text) = adjoint_of(&module("", &around("parallel", "call nowhere(i)", "parallel")));
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("m.f90:13:") && text.contains("the source of this procedure isn't"), "{text}");
    let text = module("use omp_lib", &around("parallel", "if (omp_get_thread_num() == 0) y = 2*y", "parallel"));
    let (code, text) = adjoint_of(&text);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("m.f90:12:") && text.contains("which thread does it"), "{text}");
    // The value that a private variable has outside stays.
    let kept = around("parallel private(i)", "i = 2", "parallel");
    let (code, text) = adjoint_of(&module("", &format!("i = 1\n{kept}\ny = y*x(i)**2")));
    assert_eq!(code, Some(0), "{text}");
}
