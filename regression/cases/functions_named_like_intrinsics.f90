! head: m::f(y)/(x)
! Functions of the user's have names of intrinsic functions.
module lib
contains
real(8) function sqrt(a)
real(8), intent(in) :: a
sqrt = a*a*a
end function
real(8) function sign(a,b)
real(8), intent(in) :: a,b
sign = a*b
end function
end module
module m
use lib
contains
subroutine f(x, y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(1)
y(1) = sqrt(x(1))*sign(x(2),x(3)) + abs(x(1)*x(2)-0.5d0)
end subroutine
end module
