! head: m::f(y)/(x)
! size: n=4
! an array of blocks with pointer components into one field, halo exchange between them
module m
implicit none
type block
 real(8), pointer :: u(:) => null()
 type(block), pointer :: next => null()
end type
contains
subroutine f(n,x,y)
integer, intent(in) :: n
real(8), intent(in) :: x(3*n)
real(8), intent(out) :: y(3*n)
real(8), target :: field(3*n)
type(block), target :: b(3)
type(block), pointer :: p
integer :: i, it
field = x
do i=1,3
 b(i)%u => field((i-1)*n+1:i*n)
 b(i)%next => b(1+mod(i,3))
end do
do it=1,2
 p => b(1)
 do i=1,3
  p%u(n) = p%u(n) + 0.1d0*p%next%u(1)*p%u(1)
  p%u(1:n-1) = p%u(1:n-1)*cos(p%next%u(n))
  p => p%next
 end do
end do
y = field
end subroutine
end module
