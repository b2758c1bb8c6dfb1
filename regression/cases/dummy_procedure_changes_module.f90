! head: m::f(y)/(x)
! a procedure is called through a dummy and changes module data
module m
implicit none
real(8) :: s = 0
contains
subroutine step(k)
integer, intent(in) :: k
s = s*s + k
end subroutine
subroutine apply(op, n)
interface
 subroutine op(k)
 integer, intent(in) :: k
 end subroutine
end interface
integer, intent(in) :: n
integer :: i
do i = 1, n
 call op(i)
end do
end subroutine
subroutine f(x,y)
real(8), intent(in) :: x(2)
real(8), intent(out) :: y(1)
s = x(1)
call apply(step, 2)
y(1) = s*x(2)
end subroutine
end module
