! head: m::f(y)/(x)
! Pointers lead to elements of a derived type, and to components of all elements.
module m
implicit none
type cell
 real(8) :: v = 0
 real(8) :: w(2) = 0
end type
contains
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
type(cell), allocatable, target :: c(:)
type(cell), pointer :: p
real(8), pointer :: r(:)
integer :: i
y = 0
do i = 1, 4
 allocate(c(i))
 c%v = x(i)
 p => c(i)
 p%w = x(1:2)*p%v
 r => c(:)%w(1)
 r = r*p%v
 y = y + p%w(1)*c(1)%v + sum(r)
 deallocate(c)
end do
end subroutine
end module
