! head: m::f(y)/(x)
! Variables select parts of texts.
module m
implicit none
contains
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
character(len=*), parameter :: prog = '+*+*'
integer :: i
y = 1
do i=1,len(prog)
 if (prog(i:i) == '+') then
  y = y + x(i)
 else
  y = y*x(i)
 end if
end do
end subroutine
end module
