//! Adjoints that compare what they recompute: they run where all is well, and stop at a value that came out otherwise.

use std::process::{Command, Output};

use costate_adjoint::pipeline::{Mode, Options};
use costate_adjoint::plan::{Choices, ValueChoice};
use costate_regression::chain;
use costate_regression::fortran::Fortran;

/// A value that is recomputed, a joint call inside and outside of a loop, and a time loop.
const MODEL: &str = "
module m
  implicit none
contains
  subroutine tendency(n, u, f)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: f(n)
    integer :: i
    do i = 1, n
      f(i) = u(i)*u(i) - sin(u(i))*u(i)
    end do
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: t(n), w(n)
    integer :: i, step
    do i = 1, n
      t(i) = 2*x(i) - 1
    end do
    do i = 1, n
      y(i) = y(i) + t(i)*t(i)
    end do
    do i = 1, n
      t(i) = x(i)*y(i)
    end do
    call tendency(n, t, w)
    t = t*w
    do step = 1, 40
      call tendency(n, y, w)
      y = y + 0.01d0*w*t
    end do
  end subroutine
end module
";

const DRIVER: &str = "
program driver
  use m_b, only: f_b
  implicit none
  integer, parameter :: n = 100
  real(8) :: x(n), y(n), x_b(n), y_b(n)
  integer :: i
  x = [(0.3d0 + 0.001d0*i, i = 1, n)]
  y = 0.1d0
  x_b = 0
  y_b = 1
  call f_b(n, x, x_b, y, y_b)
  print '(es24.16)', x_b, y_b
end program
";

/// State in components and in a module, some of it changed by a call, and a loop whose iterations run again by themselves.
const STATE: &str = "
module m
  implicit none
  type :: grid
    real(8) :: dx = 0.5d0
    real(8), allocatable :: h(:), unused(:)
  end type
  type :: cell
    integer :: k = 2
    real(8) :: u = 0.1d0
  end type
  type :: model
    type(grid) :: g
    type(cell) :: c(4)
    real(8), pointer :: away(:) => null()
  end type
  real(8) :: scale = 1.5d0
contains
  subroutine advance(n, s, y)
    integer, intent(in) :: n
    type(model), intent(inout) :: s
    real(8), intent(inout) :: y(n)
    integer :: i
    do i = 1, n
      y(i) = y(i)*sin(y(i))*s%g%dx*scale + s%c(2)%u*s%g%h(i)*s%c(3)%k
    end do
    s%g%h = s%g%h*s%g%h
    s%c%u = s%c%u*y(1)
    s%c%k = 3
    scale = scale*1.01d0 + 0.1d0*y(2)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    type(model) :: s
    integer :: k, i
    real(8) :: a, b
    allocate (s%g%h(n), source=x)
    do k = 1, 3
      call advance(n, s, y)
    end do
    do i = 1, n
      a = exp(-x(i)*y(i))
      b = log(1 + a)
      y(i) = a*b + sin(a*b)
    end do
    y = y*y
  end subroutine
end module
";

/// What its procedures change is known to them under another name too, which no analysis can see.
const HIDDEN: &str = "
module m
  implicit none
  type :: settings
    integer :: hits = 1
  end type
  type(settings) :: shared
  integer :: count = 1
contains
  subroutine by_component(n, s, y)
    integer, intent(in) :: n
    type(settings), intent(inout) :: s
    real(8), intent(inout) :: y(n)
    y = y*y*s%hits
    shared%hits = shared%hits + 1
  end subroutine
  subroutine by_module(n, hits, y)
    integer, intent(in) :: n
    integer, intent(inout) :: hits
    real(8), intent(inout) :: y(n)
    y = y*y*count
    hits = hits + 1
  end subroutine
  subroutine f(n, x, y, s, hits)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    type(settings), intent(inout) :: s
    integer, intent(inout) :: hits
    real(8) :: a
    integer :: i
    y = y*x
    STEPS
    y = y*y
  end subroutine
end module
";

/// An optional array that is handed on, whether it is there or not.
const ABSENT: &str = "
module m
  implicit none
contains
  subroutine low(r, c)
    real(8), intent(inout) :: r(:)
    real(8), intent(inout), optional :: c(:)
    r = r*r
    if (present(c)) c = c*r
  end subroutine
  subroutine mid(r, c)
    real(8), intent(inout) :: r(:)
    real(8), intent(inout), optional :: c(:)
    call low(r, c)
    r = r*r
    if (present(c)) r = r*c
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: w(2*n)
    w(1::2) = x
    call mid(y)
    call mid(y, w(::2))
  end subroutine
end module
";

/// Compiles an adjoint of the model with the driver, and runs it.
fn run(fortran: &Fortran, adjoint: &str, verify: &str) -> Output {
    run_with(fortran, (MODEL, DRIVER), adjoint, verify)
}

fn run_with(fortran: &Fortran, (model, driver): (&str, &str), adjoint: &str, verify: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let files = [("m.f90", model), ("m_b.f90", adjoint), ("driver.f90", driver)];
    let program = fortran.program(folder.path(), &[], &files).unwrap_or_else(|why| panic!("{why}"));
    Command::new(program).env("COSTATE_VERIFY", verify).output().expect("it can be started")
}

fn adjoint(options: &Options) -> String {
    adjoint_of(MODEL, options)
}

fn adjoint_of(model: &str, options: &Options) -> String {
    let loaded = chain::loaded("m.f90", model).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
    let heads = chain::heads(&loaded.program, "m::f(y)/(x,y)").expect("the head is there");
    let made = loaded.differentiate_with(&heads, Mode::Adjoint, options);
    made.unwrap_or_else(|d| panic!("{}", chain::describe(&loaded.sources, &d))).files[0].text.clone()
}

/// The text with another value right before each comparison, in turn, and the name of what is compared.
fn spoilt(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let compared = lines.iter().enumerate().filter(|(_, l)| l.contains("call costate_compare"));
    let spoil = |(k, line): (usize, &&str)| {
        let name = line.split('\'').nth(3).expect("the name of a variable").to_string();
        let other = format!("{name} = {name} + 1");
        let spoilt = [&lines[..k], &[other.as_str()], &lines[k..]].concat();
        (spoilt.join("\n"), name)
    };
    compared.map(spoil).collect()
}

#[test]
fn values_that_come_out_otherwise_are_found() {
    let fortran = Fortran::new(&["-fcheck=all"]);
    let plain = costate_regression::checked();
    let other_values = Some(ValueChoice::Recompute);
    let choices = Choices { other_values, ..Choices::default() };
    let checked = Options { verify: true, choices, ..costate_regression::checked() };
    let (expected, text) = (run(&fortran, &adjoint(&plain), ""), adjoint(&checked));
    assert!(expected.status.success());
    for verify in ["", "1"] {
        let same = run(&fortran, &text, verify);
        assert!(same.status.success(), "{}", String::from_utf8_lossy(&same.stderr));
        assert_eq!(same.stdout, expected.stdout);
    }
    let spoilt = spoilt(&text);
    assert_eq!(spoilt.iter().map(|s| s.1.as_str()).collect::<Vec<_>>(), ["y", "t", "t"], "{text}");
    for (text, name) in spoilt {
        let said = run(&fortran, &text, "1");
        let message = String::from_utf8_lossy(&said.stderr).to_string();
        assert_eq!(said.status.code(), Some(1), "{message}");
        assert!(message.contains(&format!("procedure `f`: `{name}` is not what it was")), "{message}");
    }
    assert!(text.contains("call costate_verify"), "{text}");
}

#[test]
fn components_module_variables_and_iterations_are_compared() {
    let fortran = Fortran::new(&["-fcheck=all"]);
    let text = adjoint_of(STATE, &Options { verify: true, ..costate_regression::checked() });
    let expected = run_with(&fortran, (STATE, DRIVER), &adjoint_of(STATE, &costate_regression::checked()), "");
    let same = run_with(&fortran, (STATE, DRIVER), &text, "1");
    assert!(expected.status.success() && same.status.success(), "{}", String::from_utf8_lossy(&same.stderr));
    assert_eq!(same.stdout, expected.stdout);
    let spoilt = spoilt(&text);
    let names: Vec<&str> = spoilt.iter().map(|s| s.1.as_str()).collect();
    assert_eq!(names, ["a", "b", "s%g%dx", "s%g%h", "s%c%k", "s%c%u", "y", "scale"], "{text}");
    std::thread::scope(|scope| {
        for (text, name) in &spoilt {
            let fortran = &fortran;
            scope.spawn(move || {
                let said = run_with(fortran, (STATE, DRIVER), text, "1");
                let message = String::from_utf8_lossy(&said.stderr).to_string();
                assert!(message.contains(&format!("procedure `f`: `{name}` is not what it was")), "{message}");
            });
        }
    });
}

#[test]
fn absent_arrays_are_left_out() {
    let fortran = Fortran::new(&["-fcheck=all"]);
    let expected = run_with(&fortran, (ABSENT, DRIVER), &adjoint_of(ABSENT, &costate_regression::checked()), "");
    let text = adjoint_of(ABSENT, &Options { verify: true, ..costate_regression::checked() });
    assert!(spoilt(&text).iter().any(|s| s.1 == "c"), "{text}");
    let same = run_with(&fortran, (ABSENT, DRIVER), &text, "1");
    assert!(expected.status.success() && same.status.success(), "{}", String::from_utf8_lossy(&same.stderr));
    assert_eq!(same.stdout, expected.stdout);
}

#[test]
fn state_that_changes_under_another_name_is_found() {
    let fortran = Fortran::new(&["-fcheck=all"]);
    let driver = DRIVER
        .replace("only: f_b", "only: f_b\n  use m, only: shared, count")
        .replace("y_b)\n  print", "y_b, shared, count)\n  print");
    let cases = [
        ("call by_component(n, s, y)", "procedure `f`: `s%hits`"),
        ("call by_module(n, hits, y)", "procedure `f`: `count`"),
        (
            "do i = 1, n\n      a = y(i)*hits\n      y(i) = y(i) + a*a\n    end do\n    count = count + 1\n    y = y*count",
            "procedure `f`: `a`",
        ),
    ];
    std::thread::scope(|scope| {
        for (steps, named) in cases {
            let (fortran, driver) = (&fortran, &driver);
            scope.spawn(move || {
                // It runs again after the state has changed.
                let model = HIDDEN.replace("STEPS", steps);
                let text = adjoint_of(&model, &Options { verify: true, ..costate_regression::checked() });
                let said = run_with(fortran, (&model, driver), &text, "1");
                let message = String::from_utf8_lossy(&said.stderr).to_string();
                assert_eq!(said.status.code(), Some(1), "{message}\n{text}");
                assert!(message.contains(&format!("{named} is not what it was")), "{message}");
            });
        }
    });
}
