! head: m::f(y)/(x)
! layout: extend
! A loop's variable, which hides one of the module, selects parts of texts.
module m
implicit none
integer :: k = 1
character(3), parameter :: c = 'abb'
contains
subroutine f(x,y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(3)
integer :: k
do k=1,3
 if (c(k:k) == 'a') then
  y(k) = x(k)**2
 else
  y(k) = x(k)*x(1)
 end if
end do
end subroutine
end module
