! head: m::f(y)/(x)
! value dummies of the specifics of a generic, integer and real
module m
implicit none
interface gg
 module procedure g1,g2
end interface
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
integer::n
n=3
y(1)=gg(n)*x(1)
y(2)=gg(x(1))*n+x(1)
end subroutine
real(8) function g1(n)
integer,value::n
n=n*2
g1=n
end function
real(8) function g2(a)
real(8),value::a
a=a*a
g2=a
end function
end module
