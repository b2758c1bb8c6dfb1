! head: m::f(y)/(x)
! State outside is found, changed and left: a second call starts from it.
module m
implicit none
integer :: istep = 0
contains
subroutine f(x,y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(3)
integer :: it
y = x
!$ad checkpoint schedule(revolve) snapshots(2)
do it=1,6
 istep = istep + 1
 y = y*(1 + 0.01d0*istep*y)
end do
istep = istep - 6
end subroutine
end module
