! head: m::f(y)/(x)
! a final procedure that frees its object's memory
module m
implicit none
type t
 real(8),allocatable::v(:)
contains
 final::fin
end type
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
call g(x,y(1))
y(2)=x(2)
end subroutine
subroutine fin(s)
type(t),intent(inout)::s
if(allocated(s%v)) deallocate(s%v)
end subroutine
subroutine g(a,r)
real(8),intent(in)::a(4)
real(8),intent(out)::r
type(t)::o
allocate(o%v(4))
o%v=a*a
r=sum(o%v*a)
end subroutine
end module
