! head: m::f(y)/(x)
! inherited components by position, parents and grandparents as a whole
module m
implicit none
type t
 real(8)::v=0
 real(8)::z=3
end type
type,extends(t)::u
 real(8)::w=1
end type
type,extends(u)::q
 real(8)::r(2)=5
end type
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
type(u)::o
type(t)::b
type(q)::c
o=u(x(1),x(2),x(3))
b=t(x(4),x(1))
y(1)=o%v*o%z*o%w
o=u(t=b,w=x(2))
y(1)=y(1)+o%v*o%z*o%w
c=q(u=o,r=x(1:2))
y(2)=c%v*c%z*c%w*c%r(2)
c=q(t=b,w=x(3),r=x(3:4))
y(2)=y(2)+c%v*c%z*c%w*c%r(2)
end subroutine
end module
