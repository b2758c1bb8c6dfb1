! head: m::f(y)/(x)
! a derivative passes through the component of an extension
module m
implicit none
type t
 real(8)::v=0
end type
type,extends(t)::u
 real(8)::w=0
end type
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
type(u)::o
o%v=1
o%w=x(1)
call g(o,y(1))
y(2)=x(2)
end subroutine
subroutine g(o,r)
class(t),intent(in)::o
real(8),intent(out)::r
r=0
select type(o)
class is(u)
 r=o%w
end select
end subroutine
end module
