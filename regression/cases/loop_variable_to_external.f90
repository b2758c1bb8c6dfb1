! head: m::f(y)/(x)
! refused: C0408 at 12
! a loop variable is passed to a procedure without source, which would run again
module m
implicit none
contains
subroutine step(u, k)
real(8), intent(inout) :: u
integer, intent(in) :: k
integer :: got
external ask
call ask(k, got)
u = u*sin(u*got)
end subroutine
subroutine f(x,y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(3)
integer :: k
y = x
do k = 1, 3
 call step(y(k), k)
end do
end subroutine
end module
