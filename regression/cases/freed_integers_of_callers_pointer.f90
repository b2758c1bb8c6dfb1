! head: m::f(y)/(x)
! A call frees integers through a pointer that an earlier call allocated.
module m
implicit none
contains
subroutine setlist(l, n)
integer, pointer, intent(inout) :: l(:)
integer, intent(in) :: n
integer :: i
if (associated(l)) deallocate(l)
allocate(l(n))
do i=1,n
 l(i) = n+1-i
end do
end subroutine
subroutine f(x,y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(3)
integer, pointer :: l(:)
integer :: k, j
nullify(l)
y = x
do k=3,1,-1
 call setlist(l, k)
 do j=1,k
  y(l(j)) = y(l(j))*x(l(k)) + y(j)
 end do
end do
deallocate(l)
end subroutine
end module
