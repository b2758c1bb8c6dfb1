! head: m::f(y)/(x)
! the type-bound assignment of a component takes part in the assignment of the whole
module m
implicit none
type t
 real(8)::v=0
contains
 procedure::asg
 generic::assignment(=)=>asg
end type
type u
 type(t)::c
end type
contains
subroutine asg(a,b)
class(t),intent(out)::a
class(t),intent(in)::b
a%v=b%v**2
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(2)
type(u)::o,p
p%c%v=x(1)
o=p
y(1)=o%c%v
y(2)=x(3)
end subroutine
end module
