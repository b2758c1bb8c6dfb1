//! Steps that would give other values when they run again: those that read a file, draw random numbers, or ask for the time.
//! Each step of the cases scales the state by a factor that it keeps, so that the gradient is the product of all factors.

use std::process::Command;

use costate_adjoint::pipeline::{Differentiated, Mode, Options};
use costate_regression::chain;
use costate_regression::fortran::Fortran;

/// Ways to come by a factor `r`.
const FACTORS: &[(&str, &str)] = &[
    ("system_clock", "call system_clock(count, rate)\nr = 1 + 1d-9*mod(count, 1000000_8)"),
    ("cpu_time", "call cpu_time(seconds)\nif (seconds > 0) r = 1 + seconds"),
    ("date_and_time", "call date_and_time(values=values)\nr = 1 + 1d-4*values(8)"),
    ("random_number", "call random_number(r)\nr = 1 + 0.1d0*r"),
    ("read", "read (unit, *) r"),
];

const STEPS: usize = 40;

/// A module that runs steps: `step` is a statement in the loop, and what the procedure `advance` does.
fn module(step: &str, advance: &str) -> String {
    format!(
        "module m
  implicit none
  real(8) :: factor({STEPS}), spent = 0
  integer :: unit = 0
contains
  subroutine advance(n, y, k)
    integer, intent(in) :: n, k
    real(8), intent(inout) :: y(n)
    real(8) :: r, seconds
    integer(8) :: count, rate
    integer :: values(8)
    {advance}
    factor(k) = r
    y = y*r
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: r, seconds, before
    integer(8) :: count, rate
    integer :: k, values(8)
    y = x
    do k = 1, {STEPS}
      {step}
    end do
  end subroutine
end module
"
    )
}

fn adjoint(text: &str) -> Result<Differentiated, String> {
    let loaded = chain::loaded("m.f90", text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
    let heads = chain::heads(&loaded.program, "m::f(y)/(x)").expect("the head is there");
    // What the program keeps beside its outputs is computed too.
    let options = Options { keep_primal: true, ..costate_regression::checked() };
    let made = loaded.differentiate_with(&heads, Mode::Adjoint, &options);
    made.map_err(|d| chain::describe(&loaded.sources, &d))
}

const DRIVER: &str = "
program driver
  use m
  use m_b
  implicit none
  integer, parameter :: n = 100
  real(8) :: x(n), x_b(n), y(n), y_b(n)
  integer :: k
  open (newunit=unit, status='scratch', action='readwrite')
  write (unit, '(f6.3)') (1 + 0.01d0*k, k = 1, 2*size(factor))
  rewind (unit)
  x = 2
  x_b = 0
  y_b = 1
  call f_b(n, x, x_b, y, y_b)
  if (any(abs(y - 2*product(factor)) > 1d-12*y)) error stop 'y'
  if (any(abs(x_b - product(factor)) > 1d-12*x_b)) error stop 'x_b'
end program
";

#[test]
fn steps_that_would_give_other_values_do_not_run_again() {
    let fortran = Fortran::new(&["-fcheck=all"]);
    std::thread::scope(|scope| {
        for (name, factor) in FACTORS {
            let fortran = &fortran;
            scope.spawn(move || {
                let text = module(&format!("{factor}\nfactor(k) = r\ny = y*r"), "r = 1");
                let made = adjoint(&text).unwrap_or_else(|told| panic!("{name}: {told}"));
                assert!(!made.plan().contains("run again"), "{name}: {}", made.plan());
                let folder = tempfile::tempdir().expect("a folder can be made");
                let files = [("m.f90", text.as_str()), ("m_b.f90", &made.files[0].text), ("driver.f90", DRIVER)];
                let program = fortran.program(folder.path(), &[], &files).unwrap_or_else(|why| panic!("{name}: {why}"));
                let said = Command::new(program).output().expect("it can be started");
                assert!(said.status.success(), "{name}: {}", String::from_utf8_lossy(&said.stderr));
            });
        }
    });
}

#[test]
fn procedures_that_would_give_other_values_are_refused_where_they_run_again() {
    for (name, factor) in FACTORS {
        let said = adjoint(&module("call advance(n, y, k)", factor)).map(|made| made.plan());
        let said = said.expect_err("it would run again");
        assert!(said.contains("an adjoint runs this procedure again"), "{name}: {said}");
    }
}

#[test]
fn steps_whose_time_is_measured_run_again() {
    let timed = "call cpu_time(before)\ny = y*sin(y)\ncall cpu_time(seconds)\nspent = spent + (seconds - before)\n\
                 if (spent > 1d9) print *, spent";
    let made = adjoint(&module(timed, "r = 1")).unwrap_or_else(|told| panic!("{told}"));
    assert!(made.plan().contains("runs in blocks of iterations"), "{}", made.plan());
    // A limit of run time is another matter: it says which steps there are.
    let limited = timed.replace("print *, spent", "exit");
    let made = adjoint(&module(&limited, "r = 1")).unwrap_or_else(|told| panic!("{told}"));
    assert!(!made.plan().contains("run again"), "{}", made.plan());
}
