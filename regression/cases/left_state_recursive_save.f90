! head: m::f(y)/(x)
! layout: extend
! State outside is found, changed and left: a second call starts from it.
module m
implicit none
contains
recursive subroutine g(n, v)
integer, intent(in) :: n
real(8), intent(inout) :: v
integer, save :: depth = 0
real(8), save :: trail(5) = 0
depth = depth + 1
trail(depth) = v
if (n > 0) call g(n-1, v)
v = v*trail(depth) + depth*0.1d0
depth = depth - 1
end subroutine
subroutine f(x,y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(3)
integer :: i
y = x
do i=1,3
 call g(i, y(i))
end do
end subroutine
end module
