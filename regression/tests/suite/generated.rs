//! What generated code must show where a check of derivatives sees nothing: code that can't be linked, or has no influence.

use std::process::Command;

use costate_adjoint::pipeline::{Layout, Mode, Options};
use costate_regression::chain;
use costate_regression::fortran::{self, Fortran};

/// A loop variable that goes to a procedure without source, at once and by a callee. That runs again in an adjoint, so the
/// user says that the procedure is the same every time.
const LOOP_VARIABLE: &str = "module m
implicit none
contains
subroutine step(u, k)
real(8), intent(inout) :: u
integer, intent(in) :: k
integer :: got
external ask
!$ad inactive
call ask(k, got)
u = u*sin(u*got)
end subroutine
subroutine f(x, y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(3)
integer :: k, got
external ask
y = x
do k = 1, 3
 call step(y(k), k)
 call ask(k, got)
 y(k) = y(k)**2*got
end do
end subroutine
end module
";

#[test]
fn a_loop_variable_may_go_to_a_procedure_without_source() {
    let loaded = chain::loaded("m.f90", LOOP_VARIABLE).expect("it is read");
    let heads = chain::heads(&loaded.program, "m::f(y)/(x)").expect("there is such a head");
    for mode in [Mode::Tangent, Mode::Adjoint] {
        let out = loaded.differentiate(&heads, mode).expect("it is differentiated");
        let folder = tempfile::tempdir().expect("a folder");
        let files: Vec<(&str, &str)> = std::iter::once(("m.f90", LOOP_VARIABLE))
            .chain(out.files.iter().map(|f| (f.name.as_str(), f.text.as_str())))
            .collect();
        Fortran::new(&["-O0", "-Wall"]).objects(folder.path(), &files).expect("it compiles");
    }
}

/// Outputs that the input doesn't reach.
const WITHOUT_INFLUENCE: &str = "subroutine f1(x, y)
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(inout) :: y(2)
  y = int(x)
end subroutine
subroutine f3(x, y, z)
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(inout) :: y, z
  y = x(1)**2
  z = 3d0
end subroutine
subroutine f4(x, y)
  implicit none
  real(8), intent(in) :: x(2)
  real(8), intent(inout) :: y
  y = 3d0
end subroutine
";

fn adjoint(text: &str, head: &str) -> String {
    let loaded = chain::loaded("m.f90", text).expect("it is read");
    let heads = chain::heads(&loaded.program, head).expect("there is such a head");
    let out = loaded.differentiate(&heads, Mode::Adjoint).expect("it is differentiated");
    out.files.iter().map(|f| f.text.as_str()).collect()
}

#[test]
fn adjoints_of_outputs_without_influence_are_zero_on_exit() {
    for (head, zero) in [("f1(y)/(x)", "y_b(i1) = 0.0d0"), ("f3(y,z)/(x)", "z_b = 0.0d0"), ("f4(y)/(x)", "y_b = 0.0d0")]
    {
        let text = adjoint(WITHOUT_INFLUENCE, head);
        assert!(text.contains(zero), "{head} leaves it:\n{text}");
    }
}

/// At zero the slope is a huge number: no NaN comes of it where the weight is zero.
#[test]
fn slopes_of_powers_at_zero_are_finite() {
    let text = "subroutine f(a, x, y)
  implicit none
  real(8), intent(in) :: a, x
  real(8), intent(out) :: y
  y = min(x, x**a) + min(x, x**(1d0/3d0))
end subroutine
";
    let adjoint = adjoint(text, "f(y)/(x)");
    assert!(adjoint.contains("merge(x, 1d-300, x /= 0.0d0 .or. a >= 1.0d0)**(a - 1.0d0)"), "{adjoint}");
    assert!(adjoint.contains("max(x, 1d-300)**"), "{adjoint}");
}

/// A step that uses the slope of the step before.
const STEP: &str = "module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    logical, save :: first = .true.
    real(8), save :: old
    real(8) :: d
    d = -x**2
    if (first) old = d
    first = .false.
    y = x*exp(0.1d0*(1.5d0*d - 0.5d0*old))
    old = d
  end subroutine
end module
";

/// What was saved in the procedure is left by the adjoint as by the primal: the next call goes on from there.
#[test]
fn adjoints_leave_the_state_of_saved_variables() {
    let loaded = chain::loaded("m.f90", STEP).expect("it is read");
    let heads = chain::heads(&loaded.program, "m::f(y)/(x)").expect("there is such a head");
    let options = Options { layout: Layout::Extend, ..Options::default() };
    let out = loaded.differentiate_with(&heads, Mode::Adjoint, &options).expect("it is differentiated");
    let main = "program main
use m
real(8) :: y, x_b, y_b
integer :: k
do k = 1, 3
  x_b = 0
  y_b = 1
  call f_b(0.3d0 + 0.3d0*k, x_b, y, y_b)
  print *, x_b
end do
end program
";
    let mut files: Vec<(&str, &str)> = out.files.iter().map(|f| (f.name.as_str(), f.text.as_str())).collect();
    files.push(("main.f90", main));
    let folder = tempfile::tempdir().expect("a folder");
    let program = Fortran::new(&["-O0", "-finit-real=snan"]).program(folder.path(), &[], &files).expect("it compiles");
    let slopes = fortran::numbers(&mut Command::new(program));
    let mut old = -0.36;
    for (k, slope) in slopes.iter().enumerate() {
        let x = 0.6 + 0.3 * k as f64;
        let expected =
            (0.1 * (-1.5 * x * x - 0.5 * old)).exp() * if k == 0 { 1.0 - 0.2 * x * x } else { 1.0 - 0.3 * x * x };
        assert!((slope - expected).abs() < 1e-12, "call {}: {slope}, not {expected}", k + 1);
        old = -x * x;
    }
}

/// Tables and laws of which each step leaves others to the next: by pointers of a module, of an object, and of a procedure.
const TABLES: &str = "module m
  implicit none
  real(8), target, save :: first(3) = [1d0, 2d0, 3d0], second(3) = [3d0, 1d0, 2d0]
  real(8), pointer, save :: table(:) => null()
  type set
    real(8), pointer :: weight => null()
  end type
  type(set), save :: settings
  abstract interface
    real(8) function law_i(x)
      real(8), intent(in) :: x
    end function
  end interface
  procedure(law_i), pointer, save :: law => null()
contains
  real(8) function linear(x)
    real(8), intent(in) :: x
    linear = 2*x
  end function
  real(8) function square(x)
    real(8), intent(in) :: x
    square = x**2
  end function
  subroutine next()
    if (associated(table, first)) then
      table => second
      law => square
    else
      table => first
      law => linear
    end if
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer :: k
    if (.not. associated(table)) then
      table => first
      law => linear
    end if
    y = 0
    do k = 1, 3
      y = y + table(k)*law(x)
      settings%weight => table(k)
      y = y*settings%weight
      call next()
    end do
  end subroutine
end module
";

#[test]
fn adjoints_leave_the_associations_of_module_pointers() {
    let main = "program main
use m
use m_b
real(8) :: x, y, x_b, y_b, above, below
real(8), pointer :: weight
logical :: at_first
integer :: k
do k = 1, 4
  x = 0.2d0 + 0.1d0*k
  x_b = 0
  y_b = 1
  at_first = .not. associated(table, second)
  call f_b(x, x_b, y, y_b)
  if (associated(table, first) .eqv. at_first) error stop 'table'
  if (associated(law, linear) .eqv. at_first) error stop 'law'
  weight => settings%weight
  call restart()
  call f(x + 1d-4, above)
  if (.not. associated(weight, settings%weight)) error stop 'weight'
  call restart()
  call f(x - 1d-4, below)
  print *, x_b - (above - below)/2d-4
end do
contains
  subroutine restart()
    if (at_first) table => first
    if (at_first) law => linear
    if (.not. at_first) table => second
    if (.not. at_first) law => square
  end subroutine
end program
";
    let text = adjoint(TABLES, "m::f(y)/(x)");
    let files = [("m.f90", TABLES), ("m_b.f90", &text), ("main.f90", main)];
    let folder = tempfile::tempdir().expect("a folder");
    let program = Fortran::new(&["-O0", "-fcheck=all"]).program(folder.path(), &[], &files).expect("it compiles");
    let differences = fortran::numbers(&mut Command::new(program));
    assert_eq!(differences.len(), 4);
    assert!(differences.iter().all(|d| d.abs() < 1e-5), "{differences:?}");
}
