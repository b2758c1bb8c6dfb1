! head: m::f(y)/(x)
! What is saved of objects whose assignment an interface defines is copied component by component.
module m
implicit none
type e
 real(8)::v=1
 real(8)::w(2)=0
 real(8),allocatable::q(:)
end type
interface assignment(=)
 module procedure give
end interface
contains
subroutine give(a,b)
type(e),intent(inout)::a
type(e),intent(in)::b
a%v=a%v*b%v**2
a%w=a%w+b%w
if (.not.allocated(a%q)) allocate(a%q(2))
a%q=b%q(1:2)*a%v
end subroutine
subroutine step(o,p,k)
type(e),intent(inout)::o
type(e),intent(inout)::p
integer,intent(in)::k
o%v=sin(o%v)*p%v
o%w=o%w*o%v+p%w(k)
p%w=p%w*o%v
p%q=p%q**2
p%v=p%v*cos(o%v)
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
type(e)::o,p
integer::k
p%v=x(1)
p%w=x(2:3)
allocate(p%q(3))
p%q=x
o%v=x(2)
do k=1,2
 call step(o,p,k)
 o=p
end do
o=p
y(1)=o%v*p%v
y(2)=sum(o%w)
y(3)=sum(o%q)
end subroutine
end module
