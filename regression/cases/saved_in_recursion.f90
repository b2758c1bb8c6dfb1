! head: m::f(y)/(x)
! refused: C0404 at 9
! a saved variable is assigned before it is used, and again by the recursive call in between
module m
contains
recursive subroutine g(n,v)
integer,intent(in)::n
real(8),intent(inout)::v
real(8),save::t
t=v*(n+1)
v=sin(v)+1
if(n>0) call g(n-1,v)
v=v*t
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
integer::i
y=x
do i=1,3
 call g(i,y(i))
end do
end subroutine
end module
