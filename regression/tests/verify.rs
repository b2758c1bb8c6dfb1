//! Adjoints that compare what they compute again: they run where all is well, and stop at a value that came out otherwise.

use std::process::{Command, Output};

use costate_adjoint::pipeline::{Mode, Options};
use costate_adjoint::plan::{Choices, ValueChoice};
use costate_regression::chain;
use costate_regression::fortran::Fortran;

/// A value that is computed again, a joint call inside and outside of a loop, and a time loop.
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

/// Compiles an adjoint of the model with the driver, and runs it.
fn run(fortran: &Fortran, adjoint: &str, verify: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let files = [("m.f90", MODEL), ("m_b.f90", adjoint), ("driver.f90", DRIVER)];
    let program = fortran.program(folder.path(), &[], &files).unwrap_or_else(|why| panic!("{why}"));
    Command::new(program).env("COSTATE_VERIFY", verify).output().expect("it can be started")
}

fn adjoint(options: &Options) -> String {
    let loaded = chain::loaded("m.f90", MODEL).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
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
    let plain = Options::default();
    let other_values = Some(ValueChoice::Recompute);
    let choices = Choices { other_values, ..Choices::default() };
    let checked = Options { verify: true, choices, ..Options::default() };
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
