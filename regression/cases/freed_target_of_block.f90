! head: m::f(y)/(x)
! A pointer leads to an automatic array of a block.
module m
implicit none
contains
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
integer :: i
y = 0
do i = 1, 3
 block
  real(8), target :: loc(i+1)
  real(8), pointer :: p(:)
  loc = x(1:i+1)
  if (i == 2) then
   p => loc(2:)
  else
   p => loc
  end if
  p(1) = p(1)**i
  y = y + sum(loc)*p(size(p))
 end block
end do
end subroutine
end module
