! head: m::f(y)/(x)
! a parameterised derived type
! refused: C0404 at 6
module m
implicit none
type t(k,n)
 integer,kind::k=8
 integer,len::n
 real(k)::v(n)
end type
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
type(t(8,3))::o
o%v=x**2
y=o%v
end subroutine
end module
