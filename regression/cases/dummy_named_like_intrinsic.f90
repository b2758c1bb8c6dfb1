! head: m::f(y)/(x)
! size: x=4 size=3
! A dummy has the name of an intrinsic function that generated code calls.
module m
contains
subroutine f(x, y, size)
integer, intent(in) :: size
real(8), intent(in) :: x(:)
real(8), intent(out) :: y(1)
real(8), allocatable :: w(:)
integer :: i
w = x
do i = 1, size
 w = w*x + w(1)
end do
y(1) = w(1)*w(2)
end subroutine
end module
