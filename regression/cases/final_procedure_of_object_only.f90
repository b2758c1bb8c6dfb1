! head: m::f(y)/(x)
! a final procedure that changes nothing but its object
module m
implicit none
type t
 real(8)::v=0
contains
 final::fin
end type
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
call g(x(1),y(1))
y(2)=x(2)
end subroutine
subroutine fin(s)
type(t),intent(inout)::s
s%v=0
end subroutine
subroutine g(a,r)
real(8),intent(in)::a
real(8),intent(out)::r
type(t)::o
o%v=a*a
r=o%v*a
end subroutine
end module
