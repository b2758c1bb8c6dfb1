! head: m::f(y)/(x)
! An output of a class is of an extension: its other components get their default values, or lose their memory.
module m
implicit none
type t
 real(8)::v=0
contains
 procedure::init
end type
type,extends(t)::e
 real(8)::z=0
 real(8),allocatable::q(:)
end type
type,extends(e)::g
 real(8)::u=3
end type
contains
subroutine init(self,a)
class(t),intent(out)::self
real(8),intent(in)::a
self%v=a*a
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
type(e)::q
type(g)::r
q%z=x(3)
r%z=x(1)
r%u=x(2)
q%q=x
call q%init(x(2))
call r%init(x(2))
y(1)=q%z+q%v
y(2)=r%v+r%u+r%z
y(3)=merge(1d0,0d0,allocated(q%q))*x(1)
end subroutine
end module
