! head: m::f(y)/(x)
! A procedure frees a component of its argument that a pointer leads to.
module m
implicit none
type fld
 real(8), allocatable :: d(:)
end type
contains
subroutine tick(a, n)
type(fld), intent(inout), target :: a
integer, intent(in) :: n
real(8), pointer :: p(:)
p => a%d
p = p + 0.1d0*p(n)**2
deallocate(a%d)
allocate(a%d(4))
a%d = n
end subroutine
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y(4)
type(fld) :: a
integer :: i
y = 0
do i=1,3
 a%d = x*i
 call tick(a, i)
 y = y + a%d*x
 a%d(i) = x(i)
 y = y*a%d
end do
end subroutine
end module
