! head: m::f(y)/(x)
! an object whose allocatable components are all inherited is copied
module m
implicit none
type a_t
  real(8), allocatable :: w(:)
end type
type, extends(a_t) :: b_t
end type
contains
subroutine f(x, y)
  real(8), intent(in) :: x(2)
  real(8), intent(out) :: y(1)
  type(b_t) :: b, d
  b%w = x(1:2)
  d = b
  y = d%w(1)*d%w(2)
end subroutine
end module
