! head: m::f(y)/(x)
! Integers that select elements are read through a pointer to memory that is freed.
module m
implicit none
contains
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
integer, allocatable, target :: idx(:)
integer, pointer :: k(:)
integer :: i
y = 1
do i = 1, 4
 allocate(idx(i))
 idx = i
 k => idx(::1)
 k(1) = 1 + mod(i,3)
 y = y*x(k(1)) + sin(x(k(i)))
 deallocate(idx)
end do
end subroutine
end module
