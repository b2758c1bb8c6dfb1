! head: m::f(y)/(x)
! An output of an extended type frees an allocatable component of the parent.
module m
implicit none
type t
 real(8)::v=0
 real(8),allocatable::w(:)
end type
type,extends(t)::e
 real(8)::z=0
end type
contains
subroutine init(self,a)
type(e),intent(out)::self
real(8),intent(in)::a
if (allocated(self%w)) then
 self%v=100*a
else
 self%v=a*a
 allocate(self%w(2))
 self%w=a
end if
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
type(e)::q
integer::i
q%w=x
q%z=x(1)
do i=1,3
call init(q,x(i))
q%z=q%z+x(2)
q%w=q%w*q%v
end do
y(1)=q%v+q%z+sum(q%w)
end subroutine
end module
