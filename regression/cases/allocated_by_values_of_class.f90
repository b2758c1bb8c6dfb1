! head: m::f(y)/(x)
! refused: C0401 at 31
! What a component of a class gets by its allocation carries a derivative.
module m
implicit none
type base
end type
type,extends(base)::ext
 real(8)::d=1
end type
type holder
 class(base),allocatable::o
end type
contains
function get(h) result(r)
type(holder),intent(in)::h
real(8)::r
select type(o=>h%o)
type is(ext)
r=o%d
class default
r=0
end select
end function
subroutine f(x,y)
real(8),intent(in)::x(2)
real(8),intent(out)::y(1)
type(holder)::h
type(ext)::q
q%d=x(1)*x(2)
allocate(h%o,source=q)
y(1)=get(h)
end subroutine
end module
