! head: m::f(y)/(x)
! Targets of pointers are scalars and arrays of no size.
module m
implicit none
contains
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
real(8), allocatable, target :: w(:), s
real(8), pointer :: p(:), q
integer :: i
y = 1
do i = 0, 4
 allocate(w(i), s)
 w = x(1:i)*y
 s = x(1)
 p => w
 q => s
 if (size(p) > 2) p(2) = p(1)*p(2)
 q = q**2
 y = y*q + sum(p)
 deallocate(s)
 deallocate(w)
end do
end subroutine
end module
