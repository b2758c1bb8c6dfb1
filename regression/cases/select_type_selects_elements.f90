! head: m::f(y)/(x)
! select type changes integers that select elements
module m
implicit none
type t
 integer::k=1
end type
type,extends(t)::u
 integer::j=2
end type
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
type(u)::o
o%k=2
o%j=3
call g(o)
y(1)=x(o%k)
y(2)=x(o%j)**2
end subroutine
subroutine g(o)
class(t),intent(inout)::o
select type(o)
type is(t)
 o%k=1
type is(u)
 o%j=o%j-1
 o%k=o%k+2
end select
end subroutine
end module
