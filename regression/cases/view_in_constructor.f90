! head: m::f(y)/(x)
! an object with a pointer goes into a constructor
module m
implicit none
type view
  real(8), pointer :: p(:) => null()
end type
type pair
  type(view) :: a
end type
contains
subroutine f(x, y)
  real(8), intent(in) :: x(5)
  real(8), intent(out) :: y(1)
  real(8), target :: t(5)
  type(pair) :: a
  type(view) :: v
  t = x
  v%p => t
  a = pair(v)
  a%a%p = a%a%p*x(1)
  y(1) = sum(t)
end subroutine
end module
