! head: m::f(y)/(x)
! Type-bound procedures, one of them overridden: which one a call runs is known from the object's type.
module m
implicit none
type t
 real(8)::v=0
 real(8)::w(3)=0
contains
 procedure::step
 procedure::get
 procedure,nopass::sq
end type
type,extends(t)::e
 real(8)::z=0
contains
 procedure::step=>step_e
end type
contains
subroutine step(self,a)
class(t),intent(inout)::self
real(8),intent(in)::a
self%v=self%v*a+self%w(1)
self%w=self%w*a
end subroutine
subroutine step_e(self,a)
class(e),intent(inout)::self
real(8),intent(in)::a
call self%t%step(a)
self%z=self%v**2
end subroutine
function get(self) result(r)
class(t),intent(in)::self
real(8)::r
r=self%v*sum(self%w)
end function
function sq(a) result(r)
real(8),intent(in)::a
real(8)::r
r=a*a
end function
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(2)
type(t)::o
type(e)::q
o%w=x
call o%step(x(2))
call o%step(x(1))
q%w=x*2
call q%step(x(3))
y(1)=o%get()+o%sq(x(1))
y(2)=q%z+q%get()
end subroutine
end module
