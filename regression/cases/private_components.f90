! A generated module can't name a private component, nor construct an object that gives it a value.
! head: m::f(y)/(x)
! refused: C0406 at 7
module m
  implicit none
  private
  type, public :: poly
    real(8), private :: c = 0
    real(8) :: a = 0
  end type
  public :: f
contains
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(poly) :: p
    p%c = x**2
    y = p%c**2
  end subroutine
end module
