! head: m::f(y)/(x)
! A component is also a component of the parent component.
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
o%v=x(1)
o%t%v=o%v*2
y(1)=o%v**2
end subroutine
end module
