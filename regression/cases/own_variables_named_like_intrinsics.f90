! head: m::f(y)/(x)
! loose: extended, a name would have to mean both in the module, which is refused
! size: x=4
! Variables of the same module have names of intrinsic functions.
module m
real(8) :: sum = 2d0, size = 3d0, lbound = 1d0
contains
subroutine f(x, y)
real(8), intent(in) :: x(:)
real(8), intent(out) :: y(1)
real(8), allocatable :: w(:)
integer :: i
w = x*sum
do i = 1, 3
w = w*x(i)
end do
y(1) = w(1)*sum*w(3)*size
end subroutine
end module
