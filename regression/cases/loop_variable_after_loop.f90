! head: m::f(y)/(x)
! the loop variable is used after its loop
! size: n=7
module m
implicit none
contains
subroutine f(x,n,y)
integer,intent(in)::n
real(8),intent(in)::x(n+1)
real(8),intent(out)::y(1)
integer::i
y=0
do i=1,n
 y(1)=y(1)+x(i)
end do
y(1)=y(1)+5*x(i)
end subroutine
end module
