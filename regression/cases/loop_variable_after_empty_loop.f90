! head: m::f(y)/(x)
! the loop variable is used after a loop that never runs
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i
real(8)::w(6)
w=x*x
do i=3,1
 y(1)=0
end do
y(1)=w(i)*x(i)
end subroutine
end module
