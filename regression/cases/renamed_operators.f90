! head: m::f(y)/(x)
! Operators that are renamed where they are used, beside other names.
module ops
  implicit none
  type v
    real(8) :: a(2) = 0
  end type
  interface operator(.x.)
    module procedure cross, crossv
  end interface
  interface operator(.neg.)
    module procedure minus
  end interface
  interface operator(+)
    module procedure add
  end interface
  interface assignment(=)
    module procedure set
  end interface
contains
  pure real(8) function cross(p, q)
    real(8), intent(in) :: p, q
    cross = p*p*q
  end function
  pure type(v) function crossv(p, q)
    type(v), intent(in) :: p, q
    crossv%a = p%a*q%a(2:1:-1)
  end function
  pure type(v) function minus(p)
    type(v), intent(in) :: p
    minus%a = -p%a**2
  end function
  pure type(v) function add(p, q)
    type(v), intent(in) :: p, q
    add%a = p%a + q%a
  end function
  pure subroutine set(p, q)
    type(v), intent(out) :: p
    real(8), intent(in) :: q(2)
    p%a = q**2
  end subroutine
  real(8) function norm(p)
    type(v), intent(in) :: p
    norm = sum(p%a**2)
  end function
end module
module other
  use ops, only: vec => v, operator( .cr. )=>operator(.x.), operator(+), assignment(=), &
    norm, OPERATOR(.min.) => operator (.NEG.), c => cross
  implicit none
  private
  public :: vec, operator(.cr.), norm, assignment(=), operator(+), operator(.min.)
contains
  subroutine un
  end subroutine
end module
module m
  use other, operator(.andb.) => operator(.cr.), nn => norm
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(vec) :: a, b
    a = [x, x**2]
    b = [3d0, x]
    a = a .andb. b + a
    b = .min. (a .andb. b)
    y = nn(a)*nn(b) + (x .andb. x)
  end subroutine
end module
