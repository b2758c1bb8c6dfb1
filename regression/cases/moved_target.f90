! head: m::f(y)/(x)
! The memory of a pointer's target moves to another variable.
! refused: C0410 at 14
module m
implicit none
contains
subroutine f(x,y)
real(8), intent(in) :: x(4)
real(8), intent(out) :: y
real(8), allocatable, target :: a(:), b(:)
real(8), pointer :: p(:)
a = x
p => a(2:3)
call move_alloc(a, b)
p = p*b(1)
b = b**2
y = sum(b)*p(1)
end subroutine
end module
