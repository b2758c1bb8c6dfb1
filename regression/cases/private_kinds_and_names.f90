! head: m::f(y)/(x)
! Private constants in declarations, beside names of the user's that are the same.
module lib
implicit none
private
integer, parameter :: dp = kind(1d0)
integer, parameter :: n = 3
real(dp), public :: w(n) = 1
public :: g
contains
subroutine g(x, r)
real(dp), intent(in) :: x(n)
real(dp), intent(out) :: r
integer :: i
w(1) = x(1)
do i = 2, n
 w(i) = w(i-1)*x(i)**2
end do
r = sum(w)
end subroutine
end module
module m
use lib, only: h => g, n => w
contains
subroutine f(x, y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(1)
real(8) :: dp
dp = x(1)
call h(x, y(1))
y(1) = y(1)*n(2)*dp
end subroutine
end module
