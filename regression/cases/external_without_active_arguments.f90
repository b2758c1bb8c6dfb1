! head: m::f(y)/(x)
! a procedure without source and without active arguments may change module data
! refused: C0405 at 17
module st
implicit none
real(8) :: s = 0
end module
module m
use st
implicit none
contains
subroutine f(x,y)
real(8), intent(in) :: x(2)
real(8), intent(out) :: y(1)
external advance
s = x(1)
call advance(2)
y(1) = s*x(2)
end subroutine
end module
