! head: m::f(y)/(x)
! A pointer leads to memory that each iteration allocates and frees.
module m
implicit none
contains
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
real(8), allocatable, target :: w(:)
real(8), pointer :: p(:)
integer :: i
y = 0
do i = 1, 4
 allocate(w(i))
 w = x(1:i)
 p => w(i:1:-1)
 p(1) = p(1)**2
 y = y + sum(w)*p(i)
 deallocate(w)
end do
end subroutine
end module
