! head: m::f(y)/(x)
! a derivative passes through select type
module m
implicit none
type t
 real(8)::v
end type
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
type(t)::o
o%v=x(1)
call g(o,y(1))
end subroutine
subroutine g(o,r)
class(t),intent(in)::o
real(8),intent(out)::r
select type(o)
type is(t)
 r=o%v
end select
end subroutine
end module
