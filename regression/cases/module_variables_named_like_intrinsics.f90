! head: m::f(y)/(x)
! size: x=4
! Variables of a used module have names of intrinsic functions.
module st
real(8) :: sum = 2d0, merge = 3d0
real(8) :: max = 0.1d0
end module
module m
use st
contains
subroutine f(x, y)
real(8), intent(in) :: x(:)
real(8), intent(out) :: y(1)
integer :: i
y(1) = 0
do i = 1, 4
y(1) = y(1) + sum*x(i)**2*merge
end do
y(1) = y(1)*abs(x(2)) + max
end subroutine
end module
