! head: m::f(y)/(x)
! An assignment gives the target of a pointer another shape.
module m
implicit none
contains
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
real(8), allocatable, target :: a(:)
real(8), pointer :: p(:)
integer :: i
y = 1
do i = 1, 4
 a = x(1:i)*y
 p => a(i:)
 p = p**2
 y = y + sum(a)
end do
end subroutine
end module
