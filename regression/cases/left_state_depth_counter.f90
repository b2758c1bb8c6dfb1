! head: m::f(y)/(x)
! State outside is found, changed and left: a second call starts from it.
module m
implicit none
integer :: depth = 0
contains
subroutine g(v)
real(8), intent(inout) :: v
depth = depth + 1
v = v**2*depth
depth = depth - 1
end subroutine
subroutine f(x,y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(3)
integer :: i
y = x
do i=1,3
 call g(y(i))
end do
end subroutine
end module
