! head: m::f(y)/(x)
! head: m::run(self)/(self)
! size: nt=5
! A time loop under a schedule whose state is an object of a class.
module m
implicit none
type t
 real(8)::v(4)=0
 real(8)::d=0
contains
 procedure::tendency
 procedure::advance
 procedure::total
end type
type,extends(t)::e
 real(8)::z=0
end type
contains
pure function total(self) result(r)
class(t),intent(in)::self
real(8)::r
r=sum(self%v**2)
end function
subroutine tendency(self,tend)
class(t),intent(in)::self
real(8),intent(out)::tend(:)
tend=cos(self%v)*self%d+self%total()
end subroutine
subroutine advance(self,dt)
class(t),intent(inout)::self
real(8),intent(in)::dt
real(8)::tend(4)
call self%tendency(tend)
self%v=self%v+dt*tend
self%d=self%d*(1+dt*self%total())
end subroutine
subroutine run(self,nt)
class(t),intent(inout)::self
integer,intent(in)::nt
integer::it
!$ad checkpoint schedule(revolve) snapshots(3)
do it=1,nt
 call self%advance(0.01d0)
end do
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(3)
type(t)::o
type(e)::q
o%v=x
o%d=x(1)*x(2)
call run(o,10)
q%t%v=x*2
q%d=x(3)
q%z=x(4)
call run(q,7)
call q%t%advance(0.1d0)
y(1)=o%total()
y(2)=q%total()*q%z
y(3)=q%d
end subroutine
end module
