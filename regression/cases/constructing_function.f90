! A generic function with the name of a type, and private components of that type, which an extended module reaches.
! head: m::f(y)/(x)
! layout: extend
module m
  implicit none
  type poly
    private
    real(8), allocatable :: c(:)
    real(8), public :: scale = 2
  end type
  interface poly
    module procedure of_powers, of_number
  end interface
contains
  type(poly) function of_powers(x, n) result(p)
    real(8), intent(in) :: x
    integer, intent(in) :: n
    integer :: i
    p%c = [(x**i, i = 0, n)]
    p%scale = x
  end function
  type(poly) function of_number(x)
    real(8), intent(in) :: x
    of_number%c = [x, 1d0]
  end function
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y(2)
    type(poly) :: p
    p = poly(x, 3)
    y(1) = sum(p%c)*p%scale
    p = poly(x*y(1))
    y(2) = sum(p%c**2)*p%scale
  end subroutine
end module
