! The components of a function's result that have default values get them each time the function starts: what they are
! assigned to loses its derivative.
! head: m::f(y)/(x)
! head: m::nested(y)/(x)
module m
  implicit none
  type t
    real(8) :: c = 0
    real(8) :: scale(2) = 2
  end type
  type u
    type(t) :: q
    real(8), allocatable :: v(:)
    real(8) :: w = 1
  end type
contains
  type(t) function of_number(x)
    real(8), intent(in) :: x
    of_number%c = x
  end function
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y(2)
    type(t) :: p
    p%c = x**2
    p%scale = x
    y(1) = p%c*p%scale(1)
    p = of_number(x*y(1))
    y(2) = p%c**2*p%scale(2)
  end subroutine
  recursive function build(x, k) result(r)
    real(8), intent(in) :: x
    integer, intent(in) :: k
    type(u) :: r
    if (k > 0) r = build(x*x, k - 1)
    r%v = [x, x*r%w]
    if (k == 1) r%q%scale(1) = x
  end function
  subroutine nested(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y(2)
    type(u) :: p
    p%q%scale = x
    p%w = x**3
    y(1) = p%q%scale(1)*p%w
    p = build(x*y(1), 0)
    y(2) = p%v(1)**2*p%q%scale(2)*p%w
    p = build(x*y(2), 2)
    y(2) = y(2) + sum(p%v)*p%q%scale(1)*p%w
  end subroutine
end module
