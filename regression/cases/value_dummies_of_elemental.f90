! head: m::f(y)/(x)
! value dummies that an elemental function changes
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
real(8)::t(4)
t=g(x,2)
y(1)=sum(t*x)
y(2)=g(x(3),1)+x(3)
end subroutine
elemental real(8) function g(a,n)
real(8),value::a
integer,value::n
do while(n>0)
 a=a*a+1
 n=n-1
end do
g=a
end function
end module
