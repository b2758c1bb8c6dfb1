! head: m::f(y)/(x)
! The target of two pointers is allocated anew where it is too small.
module m
implicit none
contains
subroutine f(x,y)
real(8), intent(in) :: x(6)
real(8), intent(out) :: y(2)
real(8), allocatable, target :: lev(:,:)
real(8), pointer :: top(:), bot(:)
integer :: n
y = 0
do n = 1, 3
 if (allocated(lev)) then
  if (size(lev,2) < n) then
   deallocate(lev)
   allocate(lev(2,n))
  end if
 else
  allocate(lev(2,n))
 end if
 lev = reshape(x, [2,n], pad=x)
 top => lev(:,1); bot => lev(:,n)
 bot = bot*top
 y = y + bot**2
end do
deallocate(lev)
end subroutine
end module
