! head: m::f(y)/(x)
! Pointers lead to allocatable components that are freed in turn, later than the next is allocated.
module m
implicit none
type blk
 real(8), allocatable :: d(:)
end type
contains
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
type(blk), target :: b(2)
real(8), pointer :: p(:)
integer :: i, k
y = 0
do i = 1, 5
 k = 1 + mod(i,2)
 if (allocated(b(k)%d)) deallocate(b(k)%d)
 allocate(b(k)%d(3+i))
 b(k)%d = x(mod(i,4)+1)
 p => b(k)%d
 p(2) = p(2)*p(1)
 if (allocated(b(3-k)%d)) p(3) = b(3-k)%d(2)
 y = y + sum(p**2)
end do
end subroutine
end module
