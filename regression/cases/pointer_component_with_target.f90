! head: m::f(y)/(x)
! A component has a target by default: that of its derivative is the derivative of the target.
module m
implicit none
real(8), target, save :: dflt(3) = [1d0,2d0,3d0]
type t
 real(8), pointer :: p(:) => dflt
 real(8) :: s = 2
end type
contains
subroutine f(x,y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(3)
type(t) :: a, b
real(8), target :: loc(3)
dflt = [1d0,2d0,3d0]
loc = x**2
b%p => loc
dflt(2) = x(1)
a%p(3) = a%p(2)*b%p(1)
y = a%p*b%p*a%s
dflt = [1d0,2d0,3d0]
end subroutine
end module
