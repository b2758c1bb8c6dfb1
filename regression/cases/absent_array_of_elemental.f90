! head: m::f(y)/(x)
! An optional array that may be absent goes to optional dummies of elemental procedures.
module m
implicit none
contains
elemental function e(a,b,c) result(r)
real(8),intent(in)::a
real(8),intent(in),optional::b
integer,intent(in),optional::c
real(8)::r
r=a*a
if(present(b)) r=r*b
if(present(c)) r=r**c
end function
elemental subroutine s(a,b,r)
real(8),intent(in)::a
real(8),intent(in),optional::b
real(8),intent(inout)::r
r=r*a
if(present(b)) r=r+b**2
end subroutine
subroutine g(x,y,b,c)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
real(8),intent(in),optional::b(3)
integer,intent(in),optional::c(3)
y=e(x,b,c)+e(x,c=2)
call s(x,b,y)
y=y*e(y,c=c)
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
real(8)::t(3)
call g(x,y)
call g(x,t,y)
y=y*t
call g(x,t,c=[1,2,1])
y=y+t
call g(y,t,x,[2,1,2])
y=y-t*1d-2
end subroutine
end module
