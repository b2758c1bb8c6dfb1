! head: m::f(y)/(x)
! head: m::step(self)/(self,a)
! size: self%w=3
! layout: extend
! Private procedures behind bindings, a generic binding and an elemental one, on objects of two types.
module m
implicit none
private
public :: f, t, e, step
type t
 real(8)::v=0
 real(8),allocatable::w(:)
contains
 procedure::step
 procedure,private::inner
 procedure::init
 procedure::scale
 generic::upd=>step,inner
end type
type,extends(t)::e
 real(8)::z=0
 real(8),allocatable::q(:)
end type
contains
subroutine init(self,n,a)
class(t),intent(out)::self
integer,intent(in)::n
real(8),intent(in)::a
allocate(self%w(n))
self%w=a
self%v=a*a
end subroutine
subroutine step(self,a)
class(t),intent(inout)::self
real(8),intent(in)::a
integer::i
do i=1,size(self%w)
 self%w(i)=self%w(i)*self%v
 call self%inner(i)
end do
self%v=sin(self%v)*a
end subroutine
subroutine inner(self,i)
class(t),intent(inout)::self
integer,intent(in)::i
self%v=self%v+self%w(i)**2
if (self%v>1) self%v=sqrt(self%v)
end subroutine
elemental subroutine scale(self,a)
class(t),intent(inout)::self
real(8),intent(in)::a
self%v=self%v*a*self%v
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
type(t)::o
type(e)::q
type(t)::many(3)
integer::k
call o%init(4,x(1))
call q%init(2,x(2))
allocate(q%q(2))
q%q=x(3)
do k=1,3
 call o%step(x(k))
 call o%upd(k)
 q%z=q%z+q%v*q%q(1)
 call q%step(x(2))
 q%q=q%q*q%z
end do
many%v=x
call many%scale(x(1))
call many(2:3)%scale(x(3))
y(1)=o%v+sum(o%w)
y(2)=q%z+q%v+sum(q%w)*sum(q%q)
y(3)=sum(many%v)
end subroutine
end module
