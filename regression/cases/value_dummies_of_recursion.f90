! head: m::f(y)/(x)
! value dummies that a recursive function changes
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
y(1)=p(4,x(1))
y(2)=p(2,x(2))*x(1)
end subroutine
recursive function p(n,a) result(r)
integer,value::n
real(8),value::a
real(8)::r
a=a*1.5d0
if(n<=0) then
 r=a
else
 n=n-1
 r=a*p(n,sin(a))+n
end if
end function
end module
