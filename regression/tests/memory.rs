//! The memory that generated adjoints take at run time is what the plan says.

use std::process::Command;

use costate_adjoint::pipeline::{Mode, Options};
use costate_adjoint::plan::{CallChoice, Choices};
use costate_grammar::diag::Diagnostic;
use costate_regression::{chain, fortran};

/// A model, its head, sizes, and the call of its adjoint with arrays `x`, `x_b`, `y`, `y_b` of `n` elements.
struct Model {
    name: &'static str,
    text: &'static str,
    head: &'static str,
    sizes: &'static [(&'static str, i64)],
    calls: CallChoice,
}

const MODELS: &[Model] = &[
    Model {
        name: "steps",
        head: "m::f(y)/(x)",
        sizes: &[("n", 100_000), ("nt", 400)],
        calls: CallChoice::Joint,
        text: "
module m
  implicit none
contains
  subroutine f(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, k
    y = x
    do k = 1, nt
      do i = 2, n
        y(i) = y(i) - 0.1d0*y(i)*(y(i) - y(i-1))
      end do
    end do
  end subroutine
end module
",
    },
    Model {
        name: "called",
        head: "m::f(y)/(x)",
        sizes: &[("n", 1_000_000), ("nt", 12)],
        calls: CallChoice::Joint,
        text: CALLED,
    },
    Model {
        name: "called, split",
        head: "m::f(y)/(x)",
        sizes: &[("n", 1_000_000), ("nt", 12)],
        calls: CallChoice::Split,
        text: CALLED,
    },
];

const CALLED: &str = "
module m
  implicit none
contains
  subroutine f(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: k
    y = x
    do k = 1, nt
      call g(n, y)
    end do
  end subroutine
  subroutine g(n, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: y(n)
    real(8) :: w(n)
    integer :: i
    do i = 1, n
      w(i) = sin(y(i))
    end do
    do i = 2, n
      y(i) = y(i)*w(i-1)
    end do
  end subroutine
end module
";

const DRIVER: &str = "
program driver
  use m
  use m_b
  implicit none
  integer, parameter :: n = @N, nt = @T
  real(8), allocatable :: x(:), x_b(:), y(:), y_b(:)
  integer :: before
  allocate(x(n), x_b(n), y(n), y_b(n))
  call random_number(x)
  x_b = 0
  y = 0
  y_b = 1
  call f(n, nt, x, y)
  before = peak()
  call f_b(n, nt, x, x_b, y, y_b)
  if (sum(x_b) /= sum(x_b)) error stop 'not a number'
  print '(i0)', peak() - before
contains
  ! The most memory that the process had so far, in kB.
  integer function peak()
    character(200) :: line
    integer :: unit, status
    peak = 0
    open (newunit=unit, file='/proc/self/status', action='read')
    do
      read (unit, '(a)', iostat=status) line
      if (status /= 0) exit
      if (line(:6) == 'VmHWM:') read (line(7:index(line, 'kB') - 1), *) peak
    end do
    close (unit)
  end function
end program
";

/// Bytes that the adjoint took, and what the plan says.
fn measured(model: &Model) -> (u64, u64) {
    let loaded = chain::loaded("m.f90", model.text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
    let told = |d: &[Diagnostic]| chain::describe(&loaded.sources, d);
    let heads = chain::heads(&loaded.program, model.head).unwrap_or_else(|d| panic!("{}", told(&d)));
    let sizes = model.sizes.iter().map(|(n, v)| ((*n).to_string(), vec![*v])).collect();
    let choices = Choices { other_calls: Some(model.calls), ..Choices::default() };
    let options = Options { sizes, choices, ..Options::default() };
    let made = loaded.differentiate_with(&heads, Mode::Adjoint, &options);
    let made = made.unwrap_or_else(|d| panic!("{}", told(&d)));
    let plan = made.plans.iter().find(|p| p.name == "f_b").expect("the head has a plan");
    assert!(plan.memory.assumed.is_empty(), "{}", plan.memory);

    let dir = tempfile::tempdir().expect("a folder can be made");
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("a file can be written");
    let size = |name| model.sizes.iter().find(|s| s.0 == name).expect("the size is there").1.to_string();
    write("m.f90", model.text);
    write("m_b.f90", &made.files[0].text);
    write("driver.f90", &DRIVER.replace("@N", &size("n")).replace("@T", &size("nt")));
    let mut compiler = Command::new(fortran::compiler());
    compiler.current_dir(dir.path()).args(["-O1", "-o", "driver", "m.f90", "m_b.f90", "driver.f90"]);
    assert!(compiler.status().expect("the compiler can be started").success(), "{}", model.name);
    // Local arrays lie on the stack.
    let run = Command::new("sh").arg("-c").arg("ulimit -s unlimited && ./driver").current_dir(dir.path()).output();
    let run = run.expect("the driver can be started");
    let text = String::from_utf8_lossy(&run.stdout);
    let kilobytes: u64 = text.trim().parse().unwrap_or_else(|_| panic!("{}: {text} {run:?}", model.name));
    (kilobytes * 1024, plan.memory.most)
}

#[test]
fn the_plan_says_what_is_taken() {
    for model in MODELS {
        let (taken, planned) = measured(model);
        let ratio = taken as f64 / planned as f64;
        println!("{}: {taken} taken, {planned} planned", model.name);
        assert!((0.85..=1.15).contains(&ratio), "{}: {taken} bytes taken, {planned} planned", model.name);
    }
}
