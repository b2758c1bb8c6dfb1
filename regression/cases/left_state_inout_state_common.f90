! head: m::f(y)/(x)
! State outside is found, changed and left: a second call starts from it.
module m
implicit none
contains
subroutine f(x,y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(3)
integer :: mode
common /ctl/ mode
data mode /1/
mode = mode + 1
y = x**mode
mode = mode - 1
end subroutine
end module
