! head: m::f(y)/(x)
! select type of an optional object
module m
implicit none
type t
 real(8)::v=0
end type
type,extends(t)::e
 real(8)::w=1
end type
contains
subroutine g(r,o)
real(8),intent(inout)::r
class(t),intent(in),optional::o
if(.not.present(o)) return
select type(o)
type is(t)
 r=r*o%v**2
type is(e)
 r=r*o%v*o%w
end select
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(2)
type(t)::o
type(e)::p
o%v=x(1)
p%v=x(2)
p%w=x(3)
y=x(1)
call g(y(1))
call g(y(1),o)
call g(y(2),p)
end subroutine
end module
