! head: m::f(y)/(x)
! Parent components are assigned as a whole.
module m
implicit none
type t
 real(8)::v=0
end type
type,extends(t)::u
 real(8)::w=1
end type
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
type(u)::o
type(t)::s
s%v=x(2)
o%v=x(1)
o%t=s
y(1)=o%v**2
o%t%v=x(3)**2
y(1)=y(1)*o%v
end subroutine
end module
