! head: m::f(y)/(x)
! calls: split
! a module variable is passed in a loop to a procedure that reads it by its own name too
module m
implicit none
real(8)::gl(3)
contains
subroutine g(a,r)
real(8),intent(in)::a(3)
real(8),intent(out)::r
real(8)::t(3)
t=a*gl
t=sin(t)
r=sum(t)
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(6)
real(8),intent(out)::y(2)
integer::i
gl=x(1:3)
y=0
do i=1,3
call g(gl,y(1))
gl=gl*y(1)
call g(x(i),y(2))
end do
y(1)=sum(gl)
end subroutine
end module
