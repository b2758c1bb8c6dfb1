//! Every code of the catalogue is provoked by a small program, at the line that is to blame.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use costate_adjoint::pipeline::{Mode, Options};
use costate_grammar::diag::{Code, Diagnostic};
use costate_regression::chain;
use costate_regression::tool::tool;

/// What a run of the command is about: code, arguments, exit status. The sources are `a.f90`, which is fine, `crash.f90`,
/// which stops, `class.f90`, which no driver can call, `saves.f90`, which has to save, `data.f90`, which isn't text, `plan.toml`, which is of another program, and a folder `taken`.
const RUNS: &[(Code, &[&str], i32)] = &[
    (Code::NumberedName, &["adjoint", "named.f90", "--head", "m::f(y)/(x)", "-o", "/dev/null"], 0),
    (Code::SerialLoop, &["adjoint", "order.f90", "--head", "m::f(y)/(x)", "-o", "/dev/null"], 0),
    (Code::SerialLoop, &["adjoint", "both.f90", "--head", "m::f(y)/(x)", "-o", "/dev/null"], 0),
    (Code::DeviceData, &["adjoint", "device.f90", "--head", "m::f(y)/(x)", "-o", "/dev/null"], 0),
    (Code::FileUnreadable, &["adjoint", "nowhere.f90", "--head", "m::f"], 3),
    (Code::FileUnreadable, &["adjoint", "taken", "--head", "m::f"], 3),
    (Code::FileUnreadable, &["adjoint", "data.f90", "--head", "m::f"], 3),
    (Code::FileUnwritable, &["adjoint", "a.f90", "--head", "m::f", "-o", "taken"], 2),
    (Code::FileUnwritable, &["adjoint", "a.f90", "--head", "m::f", "--depfile", "a.f90/d", "-o", "new.f90"], 2),
    (Code::FileUnwritable, &["adjoint", "a.f90", "--head", "m::f", "-o", "a.f90"], 2),
    (Code::OutOfDate, &["adjoint", "a.f90", "--head", "m::f", "--check-only"], 1),
    (Code::Configuration, &["adjoint", "a.f90", "--head", "m::f", "--memory", "lots"], 2),
    (Code::Configuration, &["adjoint", "a.f90", "--head", "m::f", "--size", "n=many"], 2),
    (Code::MemoryBudget, &["adjoint", "saves.f90", "--head", "m::f", "--memory", "64", "--size", "n=9"], 3),
    (Code::StalePlan, &["adjoint", "a.f90", "--head", "m::f", "--plan", "plan.toml"], 3),
    (Code::Configuration, &["adjoint", "a.f90", "--head", "m::f", "--plan", "a.f90"], 2),
    (Code::Configuration, &["adjoint", "a.f90", "--head", "m::f", "--plan", "nowhere.toml"], 2),
    (Code::HeadSyntax, &["adjoint", "a.f90"], 2),
    (Code::Configuration, &["check", "a.f90", "--head", "m::f", "--size", "m=4"], 2),
    (Code::Configuration, &["check", "a.f90", "--head", "m::f", "--value", "z=0.5"], 2),
    (Code::CheckFailed, &["check", "a.f90", "--head", "m::f", "--size", "n=0"], 1),
    (Code::CheckDriver, &["check", "crash.f90", "--head", "m::f"], 3),
    (Code::CheckDriver, &["check", "stop.f90", "--head", "m::f"], 3),
    (Code::CheckDriver, &["check", "nan.f90", "--head", "m::f"], 3),
    (Code::CheckDriver, &["check", "hang.f90", "--head", "m::f", "--time-limit", "1"], 3),
    (Code::CompilerFailed, &["check", "broken.f90", "--head", "m::f"], 3),
    (Code::CompilerFailed, &["check", "a.f90", "--head", "m::f", "--value", "x=nonsense"], 3),
    (Code::CompilerFailed, &["check", "a.f90", "--head", "m::f", "--fc", "no-such-compiler"], 3),
    (Code::CompilerFailed, &["check", "a.f90", "--head", "m::f", "--fflags", "-no-such-flag"], 3),
    (Code::CheckDriver, &["check", "class.f90", "--head", "m::g"], 3),
];

/// Only a bug gives it; the command's own tests see to it.
const BUG: Code = Code::Internal;

/// A program that holds one thing of note: statements of `f(n, x, y)` after the declarations, from line 8 on.
fn body(declarations: &str, statements: &str) -> String {
    format!(
        "module m\ncontains\nsubroutine f(n, x, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n)\n  \
         real(8), intent(out) :: y(n)\n{declarations}\n{statements}\nend subroutine f\nend module m\n"
    )
}

/// A procedure in fixed form, with its statements from line 5 on.
fn fixed(statements: &str) -> String {
    let head = "      subroutine f(x, y)\n      real(8) x, y\n      intent(in) x\n      intent(out) y\n";
    format!("{head}{statements}\n      end\n")
}

/// Code, file name, text, head, line.
fn programs() -> Vec<(Code, &'static str, String, &'static str, usize)> {
    let f = "m::f(y)/(x)";
    let plain = || body("  integer :: i", "  y = x");
    vec![
        (Code::BadContinuation, "a.f90", "module m\ncontains\nsubroutine f\n  x = 1 + &\n".into(), f, 4),
        (Code::BadDirective, "a.f90", body("  integer :: i", "!$omp parallel do schedule(wild\n  do i = 1, n\n    y(i) = x(i)\n  end do"), f, 8),
        (Code::Preprocessor, "a.F90", format!("#if (\n{}", plain()), f, 1),
        (Code::IncludeNotFound, "a.f90", body("  include 'nowhere.inc'", "  y = x"), f, 7),
        (Code::UnitStructure, "a.f90", "module m\ncontains\nsubroutine f(x)\n  real :: x\n".into(), f, 4),
        (Code::Syntax, "a.f90", body("  integer :: i", "  y = = x"), f, 8),
        (Code::BadFixedForm, "a.f", plain(), f, 1),
        (Code::BadFixedForm, "a.f", fixed("d     y = 2*y"), "f", 5),
        (Code::BadFixedForm, "a.f", fixed(&format!("      y = x{:63}+ x", "")), "f", 5),
        (Code::BadContinuation, "a.f", fixed("      y = x\nc$   & + x"), "f", 6),
        (Code::TooDeep, "a.f90", body("  integer :: i", &format!("  y = {}x{}", "(".repeat(1001), ")".repeat(1001))), f, 8),
        (Code::ModuleNotFound, "a.f90", format!("module m\n  use nowhere, only: z\n{}", &plain().replace("module m\ncontains", "contains").replace("  y = x", "  y = x*z")), f, 2),
        (Code::NameNotFound, "a.f90", body("  type t\n    real(8) :: a\n  end type\n  type(t) :: s", "  s%b = x(1)\n  y = s%b"), f, 11),
        (Code::DuplicateName, "a.f90", format!("{}{}", plain(), plain()), f, 11),
        (Code::BadDeclaration, "a.f90", body("  type, extends(t) :: t\n    real(8) :: a\n  end type\n  type(t) :: s", "  s%a = x(1)\n  y = s%a"), f, 7),
        (Code::BadExpression, "a.f90", body("  integer :: i", "  y = sin(x, x, x)"), f, 8),
        (Code::BadConstant, "a.f90", body("  real(kind=nowhere(1)) :: a", "  a = x(1)\n  y = a"), f, 7),
        (Code::NoSpecific, "a.f90", "module m\n  interface g\n    module procedure g1\n  end interface\ncontains\n  real(8) function g1(i)\n    integer :: i\n    g1 = i\n  end function\nsubroutine f(n, x, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n)\n  real(8), intent(out) :: y(n)\n  y = g(x(1))\nend subroutine\nend module\n".into(), f, 14),
        (Code::HeadNotFound, "a.f90", plain(), "m::g(y)/(x)", 0),
        (Code::HeadVariable, "a.f90", plain(), "m::f(y)/(n)", 0),
        (Code::HeadSyntax, "a.f90", plain(), "m::f(y", 0),
        (Code::UnsupportedStatement, "a.f90", body("  integer :: i", "  y = x\n  sync all\n  y = y**2"), f, 9),
        (Code::UnsupportedExpression, "a.f90", body("  complex(8) :: z(2)", "  z = x(1)\n  z(g())%im = x(2)\n  y = abs(z(1))\ncontains\n  integer function g()\n    g = 1\n  end function"), f, 9),
        (Code::UnsupportedDeclaration, "a.f90", body("  real(8), save :: s = 0", "  s = s + x(1)\n  y = s"), f, 7),
        (Code::ExternalProcedure, "a.f90", body("  external g", "  call g(x, y)"), f, 8),
        (Code::ExternalProcedure, "a.f90", body("  external g", "  call g(x, y)") + "subroutine h(x, y)\n  real(8) :: x(1), y(1)\n  x = 1\nentry g(x, y)\n  y = x\nend subroutine\n", f, 8),
        (Code::PrivateEntity, "a.f90", format!("module m\n  real(8), private :: c\n{}", plain().replace("module m\ncontains", "contains").replace("y = x", "y = c*x**2")), f, 2),
        (Code::ActiveAliasing, "a.f90", "module m\ncontains\nsubroutine g(a, b)\n  real(8), intent(in) :: a\n  real(8), intent(inout) :: b\n  b = 2*b\n  b = b*a\nend subroutine\nsubroutine f(n, x, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n)\n  real(8), intent(out) :: y(n)\n  real(8) :: s\n  s = x(1)\n  call g(s, s)\n  y = s\nend subroutine\nend module\n".into(), f, 15),
        (Code::ActiveIo, "a.f90", body("  real(8) :: s", "  s = x(1)\n  y = s\n  read (*, *) s\n  y = y*s"), f, 10),
        (Code::UnsupportedDirective, "a.f90", body("  integer :: i", "!$omp parallel do reduction(mine: i)\n  do i = 1, n\n    y(i) = x(i)\n  end do"), f, 8),
        (Code::UnsupportedDirective, "a.f90", body("  integer :: i", "!$ad fixed-point state(z)\n  do i = 1, n\n    y(i) = x(i)\n  end do"), f, 8),
        (Code::UnsupportedDirective, "a.f90", body("  integer :: i", "!$ad fixed-point tolerance(x)\n  do i = 1, n\n    y(i) = x(i)\n  end do"), f, 8),
        (Code::UnsupportedDirective, "a.f90", body("  integer :: i", "!$ad fixed-point\n  y = x\n  do i = 1, n\n    y(i) = y(i)**2\n  end do"), f, 8),
        (Code::UnsupportedDirective, "a.f90", body("  integer :: i", "!$ad checkpoint snapshots(3)\n!$ad fixed-point\n  do i = 1, n\n    y(i) = x(i)\n  end do"), f, 9),
        (Code::UnsupportedDirective, "a.f90", body("  integer :: i", "  y = 0\n!$ad fixed-point state(x)\n  do i = 1, 9\n    y = 0.5d0*y + x\n  end do"), f, 9),
        (Code::UnsupportedDirective, "a.f90", "module m\ncontains\nsubroutine solve(n, a, b, z)\n  integer, intent(in) :: n\n  real(8), intent(in) :: a(n, n), b(n)\n  real(8), intent(out) :: z(n)\n  !$ad linear-solve matrix(a) rhs(b) solution(q)\n  z = b/a(1, 1)\nend subroutine\nsubroutine f(n, x, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n)\n  real(8), intent(out) :: y(n)\n  real(8) :: a(n, n)\n  a = x(1)\n  call solve(n, a, x, y)\nend subroutine\nend module\n".into(), f, 7),
        (Code::UnsupportedDirective, "a.f90", "module m\ncontains\nsubroutine solve(n, a, b, z)\n  integer, intent(in) :: n\n  real(8), intent(in) :: a(n, n), b(n)\n  real(8), intent(out) :: z(n)\n  !$ad linear-solve matrix(b) rhs(a) solution(z)\n  z = b/a(1, 1)\nend subroutine\nsubroutine f(n, x, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n)\n  real(8), intent(out) :: y(n)\n  real(8) :: a(n, n)\n  a = x(1)\n  call solve(n, a, x, y)\nend subroutine\nend module\n".into(), f, 7),
        (Code::UnsupportedDirective, "a.f90", "module m\ncontains\nsubroutine solve(n, a, b, z)\n  integer, intent(in) :: n\n  real(8), intent(in) :: a(n, n), b(n)\n  real(8), intent(out) :: z(n)\n  !$ad linear-solve tridiagonal(a, b, z) rhs(b)\n  z = b/a(1, 1)\nend subroutine\nsubroutine f(n, x, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n)\n  real(8), intent(out) :: y(n)\n  real(8) :: a(n, n)\n  a = x(1)\n  call solve(n, a, x, y)\nend subroutine\nend module\n".into(), f, 7),
        (Code::UnsupportedDirective, "a.f90", "module m\ncontains\nsubroutine solve(n, a, b, z)\n  integer, intent(in) :: n\n  real(8), intent(in) :: a(n, n), b(n)\n  real(8), intent(out) :: z(n)\n  !$ad linear-solve rhs(b)\n  z = b/a(1, 1)\nend subroutine\nsubroutine f(n, x, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n)\n  real(8), intent(out) :: y(n)\n  real(8) :: a(n, n)\n  a = x(1)\n  call solve(n, a, x, y)\nend subroutine\nend module\n".into(), f, 7),
        (Code::UnsupportedDirective, "a.f90", "module m\ncontains\nsubroutine solve(n, a, b, z)\n  integer, intent(in) :: n\n  real(8), intent(in) :: a(n, n), b(n)\n  real(8), intent(out) :: z(n)\n  !$ad linear-solve matrix(a) rhs(b) solution(z) size(b)\n  z = b/a(1, 1)\nend subroutine\nsubroutine f(n, x, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n)\n  real(8), intent(out) :: y(n)\n  real(8) :: a(n, n)\n  a = x(1)\n  call solve(n, a, x, y)\nend subroutine\nend module\n".into(), f, 7),
        (Code::UnsupportedDirective, "a.f90", "module m\ncontains\nsubroutine solve(n, a, b, z)\n  integer, intent(in) :: n\n  real(8), intent(in) :: a(n, n), b(n)\n  real(8), intent(out) :: z(n)\n  !$ad external linear(q)\n  z = b/a(1, 1)\nend subroutine\nsubroutine f(n, x, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n)\n  real(8), intent(out) :: y(n)\n  real(8) :: a(n, n)\n  a = x(1)\n  call solve(n, a, x, y)\nend subroutine\nend module\n".into(), f, 7),
        (Code::UnsupportedDirective, "a.f90", "module m\ncontains\nsubroutine solve(n, a, b, z)\n  integer, intent(in) :: n\n  real(8), intent(in) :: a(n, n), b(n)\n  real(8), intent(out) :: z(n)\n  !$ad external transpose(g) self-adjoint\n  z = b/a(1, 1)\nend subroutine\nsubroutine f(n, x, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n)\n  real(8), intent(out) :: y(n)\n  real(8) :: a(n, n)\n  a = x(1)\n  call solve(n, a, x, y)\nend subroutine\nend module\n".into(), f, 7),
        (Code::UnsupportedDirective, "a.f90", "module m\ncontains\nsubroutine solve(n, a, b, z)\n  integer, intent(in) :: n\n  real(8), intent(in) :: a(n, *), b(*)\n  real(8), intent(out) :: z(n)\n  !$ad linear-solve matrix(a) rhs(b) solution(z)\n  z = b/a(1, 1)\nend subroutine\nsubroutine f(n, x, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n)\n  real(8), intent(out) :: y(n)\n  real(8) :: a(n, n)\n  a = x(1)\n  call solve(n, a, x, y)\nend subroutine\nend module\n".into(), f, 7),
        (Code::UnsupportedDeclaration, "a.f90", "module m\ncontains\nsubroutine solve(n, a, b, z)\n  integer, intent(in) :: n\n  real(8), intent(in) :: a(n, n), b(n)\n  real(8), intent(out) :: z(n)\n  !$ad external transpose(g)\n  z = b/a(1, 1)\nend subroutine\nsubroutine f(n, x, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n)\n  real(8), intent(out) :: y(n)\n  real(8) :: a(n, n)\n  a = x(1)\n  call solve(n, a, x, y)\nend subroutine\nend module\n".into(), f, 7),
        (Code::ExternalProcedure, "a.f90", "module m\ncontains\nsubroutine solve(n, a, b, z)\n  integer, intent(in) :: n\n  real(8), intent(in) :: a(n, n), b(n)\n  real(8), intent(out) :: z(n)\n  !$ad external linear(b, z) transpose(g)\n  z = b/a(1, 1)\nend subroutine\nsubroutine f(n, x, y)\n  integer, intent(in) :: n\n  real(8), intent(in) :: x(n)\n  real(8), intent(out) :: y(n)\n  real(8) :: a(n, n)\n  a = x(1)\n  call solve(n, a, x, y)\nend subroutine\nend module\n".into(), f, 16),
        (Code::UnsupportedDirective, "a.f90", body("", "  if (n > 1) then\n    !$ad external self-adjoint\n    y = x\n  end if"), f, 9),
        (Code::ConditionalLine, "a.f90", body("  integer :: i", "  y = x\n!$ do i = 1, n\n  y = 2*y\n!$ end do"), f, 10),
        (Code::UnsupportedCall, "a.f90", body("  real(8) :: s", "  y = x\n  call random_number(y)\n  y = y*x"), f, 9),
        (Code::UnsupportedControl, "a.f90", body("  integer :: i", "  i = 0\n  if (n > 3) goto 20\n10 y = x\n20 i = i + 1\n  if (i < n) goto 10"), f, 9),
    ]
}

/// All diagnostics of a program, from reading to both modes; the first stage that finds any ends it.
fn found(name: &str, text: &str, head: &str) -> (costate_grammar::source::SourceMap, Vec<Diagnostic>) {
    let loaded = match chain::loaded(name, text) {
        Ok(loaded) => loaded,
        Err(found) => return found,
    };
    let result = chain::heads(&loaded.program, head).and_then(|heads| {
        loaded.differentiate(&heads, Mode::Tangent)?;
        loaded.differentiate(&heads, Mode::Adjoint)
    });
    (loaded.sources, result.err().unwrap_or_default())
}

/// Procedures with refusals of different stages, which a head calls one after the other.
const SEVERAL: &str = "module m
  implicit none
  real(8), private :: c = 2
contains
  subroutine saves(x, y)
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    real(8), save :: s = 0
    s = s + x
    y = y*s
  end subroutine
  subroutine unknown(x, y)
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    call nowhere(x, y)
    y = y*x
  end subroutine
  subroutine draws(x, y)
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    call random_number(y)
    call unknown(x, y)
  end subroutine
  subroutine jumps(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    integer :: i
    i = 0
    if (n > 3) goto 20
10  y = y*x
20  i = i + 1
    if (i < n) goto 10
  end subroutine
  subroutine hidden(x, y)
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    y = y*x*c
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = x
    call saves(x, y)
    call draws(x, y)
    call jumps(n, x, y)
    call hidden(x, y)
  end subroutine
end module
";

#[test]
fn refusals_of_all_stages_come_in_one_list() {
    let loaded = chain::loaded("a.f90", SEVERAL).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
    let heads = chain::heads(&loaded.program, "m::f(y)/(x)").expect("the head is there");
    for mode in [Mode::Tangent, Mode::Adjoint] {
        let found = loaded.differentiate(&heads, mode).expect_err("there are refusals");
        let mut places: Vec<_> = found.iter().map(|d| (chain::line_of(&loaded.sources, d), d.code)).collect();
        // An adjoint would draw other numbers when it runs the procedure again.
        places.retain(|p| *p != (21, Code::ActiveIo));
        let all = [
            (3, Code::PrivateEntity),
            (8, Code::UnsupportedDeclaration),
            (15, Code::ExternalProcedure),
            (21, Code::UnsupportedCall),
            (30, Code::UnsupportedControl),
        ];
        assert_eq!(places, all, "{}", chain::describe(&loaded.sources, &found));
    }
}

#[test]
fn more_memory_than_allowed_is_refused() {
    let text = body(
        "  integer :: i, k",
        "  y = x\n  do k = 1, 10\n    do i = 1, n\n      y(i) = y(i)**2\n    end do\n  end do",
    );
    let loaded = chain::loaded("a.f90", &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
    let heads = chain::heads(&loaded.program, "m::f(y)/(x)").expect("the head is there");
    let differentiate = |memory| {
        let sizes = vec![("n".to_string(), vec![1000])];
        let options = Options { memory: Some(memory), sizes, ..costate_regression::checked() };
        loaded.differentiate_with(&heads, Mode::Adjoint, &options)
    };
    // Ten times a thousand values of eight bytes.
    assert!(differentiate(80_000).is_ok());
    let found = differentiate(79_999).expect_err("it takes more");
    assert_eq!(found[0].code, Code::MemoryBudget);
    assert!(found[0].help.as_ref().is_some_and(|h| h.contains("--memory 80000")), "{:?}", found[0].help);
}

/// What stands on conditional lines in part only, by its line, and the code.
#[test]
fn parts_on_conditional_lines_are_refused() {
    let none = "  integer :: i";
    let at = |line| Some((Code::ConditionalLine, line));
    let programs = [
        (none, "  if (n > 1) then\n    y = x\n!$ else\n    y = 2*x\n  end if", at(10)),
        (none, "  y = x\n!$ do i = 1, n\n    y(i) = 2*y(i)\n!$ end do", at(10)),
        (none, "  where (x > 0)\n    y = x\n!$  y = 2*x\n  elsewhere\n    y = 0\n  end where", at(10)),
        (none, "  select case (n)\n!$ case (1)\n!$  y = 2*x\n  case default\n    y = x\n  end select", at(9)),
        (none, "  y = x\n  do 10 i = 1, n\n    y(i) = y(i)**2\n!$ 10 continue", at(11)),
        (none, "  y = x + &\n!$  x + &\n    1", Some((Code::BadContinuation, 9))),
        (none, "  y = x\n!$ y = y + &\n    x", Some((Code::BadContinuation, 10))),
        ("!$ save", "  y = x", at(7)),
        ("!$ implicit none", "  y = x", at(7)),
        ("!$ real(8) :: a(2)\n!$ data a /1, 2/", "  y = x", at(8)),
        ("!$ real(8) :: f1, t\n!$ f1(t) = t", "  y = x", at(8)),
        ("!$ integer :: i", "!$ i = 2\n  y = x\n!$ y(1) = i*y(1)", None),
    ];
    for (declarations, statements, expected) in programs {
        let (sources, found) = found("a.f90", &body(declarations, statements), "m::f(y)/(x)");
        let place = found.first().map(|d| (d.code, chain::line_of(&sources, d)));
        assert_eq!(place, expected, "{declarations}\n{statements}: {}", chain::describe(&sources, &found));
    }
}

#[test]
fn every_code_is_given_where_it_is_due() {
    let mut failures = Vec::new();
    for (code, name, text, head, line) in programs() {
        let (sources, found) = found(name, &text, head);
        let Some(d) = found.iter().find(|d| d.code == code) else {
            failures.push(format!("{code:?} isn't given but: {}\n{text}", chain::describe(&sources, &found)));
            continue;
        };
        if chain::line_of(&sources, d) != line && line != 0 {
            failures
                .push(format!("{code:?} isn't at line {line}: {}", chain::describe(&sources, std::slice::from_ref(d))));
        }
        // A refusal says why; every message shows a way out.
        let refusal = code.as_str().starts_with("C04");
        if d.help.is_none() || refusal && d.reason.is_none() {
            failures.push(format!("{code:?} says not enough: {d:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Names and contents of all files in a folder.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("a folder can be read").map(|e| e.expect("an entry can be read"));
    let file = |e: std::fs::DirEntry| {
        (e.file_name().to_string_lossy().into_owned(), std::fs::read(e.path()).unwrap_or_default())
    };
    entries.map(file).collect()
}

#[test]
fn the_command_gives_its_own_codes_and_writes_nothing() {
    let tool = tool();
    let dir = tempfile::tempdir().expect("a folder can be made");
    let write = |name: &str, text: &[u8]| std::fs::write(dir.path().join(name), text).expect("a file can be written");
    write("a.f90", body("  integer :: i", "  y = x**2").as_bytes());
    write("crash.f90", body("  integer :: i", "  y = x**2\n  if (n > 0) error stop 7").as_bytes());
    write("stop.f90", body("  integer :: i", "  y = x**2\n  if (n > 0) stop").as_bytes());
    write("nan.f90", body("  integer :: i", "  y = sqrt(-x)").as_bytes());
    write("hang.f90", body("  integer :: i", "  y = x**2\n  do while (n > 0)\n  end do").as_bytes());
    write("saves.f90", body("  integer :: i", "  y = x**2\n  y = y**2\n  y = sin(y)").as_bytes());
    write("named.f90", body("  real(8) :: f_b", "  f_b = x(1)**2\n  y = x*f_b").as_bytes());
    let ordered =
        "!$omp parallel do ordered\n  do i = 2, n\n!$omp ordered\n  y(i) = y(i-1)*x(i)\n!$omp end ordered\n  end do";
    write("order.f90", body("  integer :: i", &format!("  y = x\n{ordered}")).as_bytes());
    let both = "!$omp parallel do\n!$acc parallel loop\n  do i = 1, n\n    y(i) = x(i)**2\n  end do";
    write("both.f90", body("  integer :: i", both).as_bytes());
    write("device.f90", body("", "!$acc update self(x)\n  y = x**2\n!$acc update device(y)").as_bytes());
    write("broken.f90", body("  character(3) :: c", "  c = 5\n  y = x**2").as_bytes());
    write("class.f90", b"module m\ncontains\nsubroutine g(x, s)\n  real, intent(inout) :: x\n  class(*) :: s\n  x = x**2\nend subroutine\nend module\n");
    write("data.f90", b"module m\0\0\x01");
    write("plan.toml", b"version = 3\nheads = [\"f\"]\nratio = 2.0\npeak = 0\nprocedures = { f = \"0\" }\n");
    std::fs::create_dir(dir.path().join("taken")).expect("a folder can be made");
    let before = contents(dir.path());
    for (code, args, status) in RUNS {
        let output = Command::new(&tool)
            .args(*args)
            .args(["--message-format", "json"])
            .current_dir(dir.path())
            .output()
            .expect("the command can be started");
        let text = String::from_utf8_lossy(&output.stdout);
        let hit = text.lines().find(|l| l.contains(&format!("\"code\":\"{}\"", code.as_str())));
        let told = format!("{args:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(hit.is_some_and(|l| l.contains("\"help\":")), "{told}");
        assert_eq!(output.status.code(), Some(*status), "{told}");
        assert_eq!(contents(dir.path()), before, "{told}");
    }
}

#[test]
fn every_code_has_a_test() {
    let programs = programs();
    let provoked = |c: &Code| programs.iter().any(|p| p.0 == *c) || RUNS.iter().any(|r| r.0 == *c);
    let missing: Vec<&Code> = Code::ALL.iter().filter(|c| **c != BUG && !provoked(c)).collect();
    assert!(missing.is_empty(), "nothing provokes {missing:?}");
}
