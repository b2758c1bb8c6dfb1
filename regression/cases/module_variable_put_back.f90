! A module variable that is assigned, and has its old value again at the end; names that reach it by two ways.
! head: m::f(y)/(x)
module base
implicit none
real(8) :: c = 1.5d0, d = 2d0
contains
real(8) function g(a)
real(8), intent(in) :: a
g = a**2*c
end function
end module
module left
use base, only: gl => g, c
end module
module right
use base, only: c, gr => g, e => d
implicit none
contains
real(8) function g(a)
real(8), intent(in) :: a
g = gr(a) + e*a
end function
end module
module m
use left
use right, only: g, e, cc => c
implicit none
contains
subroutine f(x,y)
real(8), intent(in) :: x(2)
real(8), intent(out) :: y(2)
c = x(1)
y(1) = gl(x(2)) + g(x(1))
cc = cc*2
y(2) = g(x(2))*c
e = 2
c = 1.5d0
end subroutine
end module
