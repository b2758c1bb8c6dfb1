//! The memory that generated adjoints take at run time is what the plan says.

use std::process::Command;

use costate_adjoint::pipeline::{Mode, Options};
use costate_adjoint::plan::{CallChoice, Choices};
use costate_analysis::request::Head;
use costate_grammar::diag::Diagnostic;
use costate_regression::chain;
use costate_regression::fortran::{self, Fortran};

const FLAGS: &[&str] = &["-O1"];

/// A model, its head, sizes, and the call of its adjoint with arrays `x`, `x_b`, `y`, `y_b` of `n` elements.
struct Model {
    name: &'static str,
    text: &'static str,
    head: &'static str,
    sizes: &'static [(&'static str, i64)],
}

const MODELS: &[Model] = &[
    Model {
        name: "steps",
        head: "m::f(y)/(x)",
        sizes: &[("n", 1_000_000), ("nt", 40)],
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
        sizes: &[("n", 1_000_000), ("nt", 24)],
        text: "
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
",
    },
    Model {
        name: "phases",
        head: "m::f(y)/(x)",
        sizes: &[("n", 1_000_000), ("nt", 24)],
        text: "
module m
  implicit none
contains
  ! Two time loops, one after the other, on states of different size.
  subroutine f(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: h(n), v(n)
    integer :: i, k
    h = 1 + x
    v = 0
    do k = 1, nt
      do i = 2, n - 1
        v(i) = v(i) - 0.01d0*h(i)*(h(i+1) - h(i-1))
      end do
      do i = 2, n - 1
        h(i) = h(i) - 0.01d0*h(i)*(v(i+1) - v(i-1))
      end do
    end do
    y = h
    do k = 1, 2*nt
      do i = 2, n
        y(i) = y(i) - 0.05d0*y(i)*(y(i) - y(i-1))
      end do
    end do
  end subroutine
end module
",
    },
    Model {
        name: "allocates",
        head: "m::f(y)/(x)",
        sizes: &[("n", 700_000), ("nt", 25)],
        text: "
module m
  implicit none
  real(8), allocatable :: speed(:)
contains
  ! Allocatable state in the procedure and in the module, and a step that allocates.
  subroutine f(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8), allocatable :: u(:), half(:)
    integer :: i, k
    allocate (u(n))
    if (.not. allocated(speed)) allocate (speed(n))
    u = x
    speed = 0.5d0*x
    do k = 1, nt
      allocate (half(n))
      do i = 2, n
        half(i) = u(i)*speed(i-1)
      end do
      half(1) = u(1)
      do i = 1, n
        speed(i) = speed(i) + 0.01d0*sin(half(i))
        u(i) = u(i) - 0.01d0*half(i)*speed(i)
      end do
      deallocate (half)
    end do
    y = u*speed
  end subroutine
end module
",
    },
];

const DRIVER: &str = "
program driver
  use m
  use m_b
  implicit none
  integer, parameter :: n = @N, nt = @T
  real(8), allocatable :: x(:), x_b(:), y(:), y_b(:)
  integer :: before, i
  allocate(x(n), x_b(n), y(n), y_b(n))
  do i = 1, n
    x(i) = 0.5d0 + 0.4d0*sin(real(i, 8))
  end do
  x_b = 0
  y = 0
  y_b = 1
  call f(n, nt, x, y)
  before = peak()
  call f_b(n, nt, x, x_b, y, y_b)
  if (sum(x_b) /= sum(x_b)) error stop 'not a number'
  print '(i0)', peak() - before
  print '(es24.16)', sum(x_b)
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

/// A loop that finds out when it ends, with a state of three arrays.
const UNTIL: Model = Model {
    name: "until",
    head: "m::f(y)/(x)",
    sizes: &[("n", 500_000), ("nt", 20), ("trips", 20)],
    text: "
module m
  implicit none
contains
  subroutine f(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: u(n), v(n), t
    integer :: i
    u = 1 + x
    v = x
    y = 0
    t = 0
    do while (t < nt - 0.5d0)
      do i = 2, n - 1
        v(i) = v(i) - 0.01d0*u(i)*(u(i+1) - u(i-1))
      end do
      do i = 2, n - 1
        u(i) = u(i) - 0.01d0*u(i)*(v(i+1) - v(i-1))
      end do
      do i = 2, n - 1
        y(i) = y(i)*cos(u(i)) + v(i)
      end do
      t = t + 1
    end do
  end subroutine
end module
",
};

/// A model that is read, with its heads and sizes.
struct Loaded {
    model: &'static Model,
    loaded: chain::Loaded,
    heads: Vec<Head>,
    sizes: Vec<(String, Vec<i64>)>,
}

impl Loaded {
    fn new(model: &'static Model) -> Loaded {
        let loaded = chain::loaded("m.f90", model.text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
        let heads = chain::heads(&loaded.program, model.head).expect("the head is there");
        let sizes = model.sizes.iter().map(|(n, v)| ((*n).to_string(), vec![*v])).collect();
        Loaded { model, loaded, heads, sizes }
    }

    fn told(&self, d: &[Diagnostic]) -> String {
        format!("{}: {}", self.model.name, chain::describe(&self.loaded.sources, d))
    }

    /// Budgets of memory between the least that works and what the fastest plan takes.
    fn budgets(&self) -> Vec<u64> {
        let options = Options { sizes: self.sizes.clone(), ..costate_regression::checked() };
        let trades = self.loaded.trades(&self.heads, &options, 3).unwrap_or_else(|d| panic!("{}", self.told(&d)));
        trades.iter().map(|t| t.budget).collect()
    }

    /// Bytes that the adjoint within a budget took, what the plan says, and the sum of its derivatives.
    fn measured(&self, fortran: &Fortran, memory: Option<u64>, calls: Option<CallChoice>) -> (u64, u64, f64) {
        let model = self.model;
        let choices = Choices { other_calls: calls, ..Choices::default() };
        let options = Options { sizes: self.sizes.clone(), memory, choices, ..costate_regression::checked() };
        let made = self.loaded.differentiate_with(&self.heads, Mode::Adjoint, &options);
        let made = made.unwrap_or_else(|d| panic!("{}", self.told(&d)));
        let plan = made.plans.iter().find(|p| p.name == "f_b").expect("the head has a plan");
        assert!(plan.memory.assumed.is_empty(), "{}", plan.memory);

        let dir = tempfile::tempdir().expect("a folder can be made");
        let size = |name| model.sizes.iter().find(|s| s.0 == name).expect("the size is there").1.to_string();
        let driver = DRIVER.replace("@N", &size("n")).replace("@T", &size("nt"));
        let files = [("m.f90", model.text), ("m_b.f90", &made.files[0].text), ("driver.f90", &driver)];
        fortran.program(dir.path(), &[], &files).unwrap_or_else(|told| panic!("{}: {told}", model.name));
        // Local arrays lie on the stack.
        let mut run = Command::new("sh");
        run.arg("-c").arg("ulimit -s unlimited && ./program").current_dir(dir.path());
        let text = fortran::output(&mut run);
        let mut words = text.split_whitespace();
        let mut next = || words.next().unwrap_or_else(|| panic!("{}: {text}", model.name));
        let kilobytes: u64 = next().parse().expect("a number of kilobytes");
        let sum: f64 = next().parse().expect("a sum");
        (kilobytes * 1024, plan.memory.most, sum)
    }
}

#[test]
fn the_plan_says_what_is_taken() {
    let fortran = Fortran::new(FLAGS);
    for model in MODELS.iter().chain([&UNTIL]) {
        for calls in [CallChoice::Joint, CallChoice::Split] {
            let (taken, planned, _) = Loaded::new(model).measured(&fortran, None, Some(calls));
            let ratio = taken as f64 / planned as f64;
            println!("{}, {calls:?}: {taken} taken, {planned} planned", model.name);
            assert!((0.85..=1.15).contains(&ratio), "{}: {taken} bytes taken, {planned} planned", model.name);
        }
    }
}

#[test]
fn budgets_are_kept() {
    let fortran = Fortran::new(FLAGS);
    for model in MODELS.iter().chain([&UNTIL]) {
        let loaded = Loaded::new(model);
        let expected = loaded.measured(&fortran, None, None).2;
        for budget in loaded.budgets() {
            let (taken, planned, sum) = loaded.measured(&fortran, Some(budget), None);
            let told = format!("{}: {taken} bytes taken, {planned} planned, {budget} allowed", model.name);
            println!("{told}");
            assert!(taken as f64 <= 1.05 * budget as f64, "{told}");
            assert!((0.85..=1.15).contains(&(taken as f64 / planned as f64)), "{told}");
            assert!((sum - expected).abs() <= 1e-12 * expected.abs(), "{}: {sum} instead of {expected}", model.name);
        }
    }
}

/// Where nobody says how often the loop runs, a tape that grows is no way to keep a budget.
#[test]
fn a_budget_is_kept_however_often_a_loop_runs() {
    let fortran = Fortran::new(FLAGS);
    let mut loaded = Loaded::new(&UNTIL);
    let expected = loaded.measured(&fortran, None, None).2;
    loaded.sizes.retain(|s| s.0 != "trips");
    let budget = 60_000_000;
    let (taken, planned, sum) = loaded.measured(&fortran, Some(budget), None);
    println!("{taken} bytes taken, {planned} planned");
    assert!(taken as f64 <= 1.05 * budget as f64, "{taken} bytes taken, {planned} planned");
    assert!((sum - expected).abs() <= 1e-12 * expected.abs(), "{sum} instead of {expected}");
}
