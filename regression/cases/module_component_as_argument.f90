! head: m::f(y)/(x)
! a component of an array is passed that the callee reads by its own name too
module m
implicit none
type p
 real(8)::u
end type
type(p)::gl(3)
contains
subroutine g(a,r)
real(8),intent(in)::a(3)
real(8),intent(out)::r
r=sum(a*gl%u)
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
gl%u=x
call g(gl%u,y(1))
end subroutine
end module
