! head: m::f(y)/(x)
! a callee reallocates what a parent component holds
module m
implicit none
type base
  real(8), allocatable :: w(:)
end type
type, extends(base) :: ext
end type
contains
subroutine dblt(b)
  type(base), intent(inout) :: b
  b%w = [b%w, b%w*b%w(1)]
end subroutine
subroutine f(x, y)
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y(2)
  type(ext) :: b
  b%w = x(1:2)
  call dblt(b%base)
  y = b%w(4)*x(1)
end subroutine
end module
