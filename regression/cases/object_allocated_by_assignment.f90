! head: m::f(y)/(x)
! an allocatable object that an assignment allocates
module m
implicit none
type t
  real(8) :: a = 0
end type
contains
subroutine f(x, y)
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y(2)
  type(t), allocatable :: e
  e = t(x(1))
  y = e%a
end subroutine
end module
