! head: m::f(y)/(x)
! component of a module variable passed, the whole read in the callee; allocatable component; elemental function
module m
implicit none
type t
 real(8),allocatable::v(:)
 real(8)::s
end type
type(t)::g
contains
subroutine use_it(v,s,r)
real(8),intent(in)::v(:)
real(8),intent(in)::s
real(8),intent(inout)::r
type(t)::loc
loc=g
r=r+sum(v*loc%v)*s+g%s*loc%s
end subroutine
real(8) function fun(s)
real(8),intent(in)::s
fun=s*g%s+g%v(2)
end function
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
y=0
g%v=x(1:3)
g%s=x(4)**2
call use_it(g%v,g%s,y(1))
call use_it(g%v(3:1:-1),g%v(2),y(1))
y(2)=fun(g%s)+fun(g%v(2))
end subroutine
end module
