! head: m::f(y)/(x)
! Blocks use modules with names that mean something else outside.
module s
real(8) :: w = 1
real(8), parameter :: k = 3
contains
subroutine bump(q)
real(8), intent(inout) :: q
q = q*w
w = w + q
end subroutine
end module
module m
contains
subroutine f(x, y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(1)
real(8) :: w, k, z
w = x(1)
k = x(2)
z = x(3)
block
use s, only: w
w = 1
end block
block
use s, s_w => w
real(8) :: zz
zz = z*k*s_w
call bump(zz)
call bump(zz)
z = zz
end block
y(1) = z*w*k
end subroutine
end module
