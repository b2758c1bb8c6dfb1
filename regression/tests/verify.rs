//! Adjoints that compare what they compute again: they run where all is well, and stop at a value that came out otherwise.

use std::path::Path;
use std::process::{Command, Output};

use costate_adjoint::pipeline::{Mode, Options};
use costate_adjoint::plan::{Choices, ValueChoice};
use costate_regression::{chain, fortran};

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
fn run(adjoint: &str, verify: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file can be written");
    write("runtime.f90", &fortran::runtime_interface());
    write("m.f90", MODEL);
    write("m_b.f90", adjoint);
    write("driver.f90", DRIVER);
    let mut compiler = Command::new(fortran::compiler());
    compiler.current_dir(&folder).args([
        "-fcheck=all",
        "runtime.f90",
        "m.f90",
        "m_b.f90",
        "driver.f90",
        "-o",
        "driver",
    ]);
    let built = compiler.args(fortran::runtime_flags()).output().expect("the compiler can be started");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let driver: &Path = &folder.path().join("driver");
    Command::new(driver).env("COSTATE_VERIFY", verify).output().expect("it can be started")
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
    let plain = Options::default();
    let other_values = Some(ValueChoice::Recompute);
    let choices = Choices { other_values, ..Choices::default() };
    let checked = Options { verify: true, choices, ..Options::default() };
    let (expected, text) = (run(&adjoint(&plain), ""), adjoint(&checked));
    assert!(expected.status.success());
    for verify in ["", "1"] {
        let same = run(&text, verify);
        assert!(same.status.success(), "{}", String::from_utf8_lossy(&same.stderr));
        assert_eq!(same.stdout, expected.stdout);
    }
    let spoilt = spoilt(&text);
    assert_eq!(spoilt.iter().map(|s| s.1.as_str()).collect::<Vec<_>>(), ["y", "t", "t"], "{text}");
    for (text, name) in spoilt {
        let said = run(&text, "1");
        let message = String::from_utf8_lossy(&said.stderr).to_string();
        assert_eq!(said.status.code(), Some(1), "{message}");
        assert!(message.contains(&format!("procedure `f`: `{name}` is not what it was")), "{message}");
    }
    assert!(text.contains("call costate_verify"), "{text}");
}
