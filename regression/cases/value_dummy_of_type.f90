! head: m::f(y)/(x)
! a value dummy of derived type that the procedure changes
module m
implicit none
type t
real(8)::a
end type
contains
subroutine g(s,r)
type(t),value::s
real(8),intent(inout)::r
s%a=s%a**2
r=r+s%a
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
type(t)::s
s%a=x(1)
y=0
call g(s,y(1))
y(1)=y(1)*s%a
end subroutine
end module
