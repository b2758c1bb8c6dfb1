! head: m::f(y)/(x)
! Calls through pointers that objects and modules hold, from modules that don't know what these lead to.
module integrators
implicit none
abstract interface
 real(8) function fn(a)
 real(8),intent(in)::a
 end function
end interface
type quadrature
 integer::n=4
 procedure(fn),pointer,nopass::g=>null()
contains
 procedure::run
end type
type material
 real(8)::k=2
 procedure(law),pointer,pass(me)::response=>null()
end type
abstract interface
 subroutine law(a, me, r)
 import :: material
 real(8),intent(in)::a
 class(material),intent(inout)::me
 real(8),intent(out)::r
 end subroutine
end interface
procedure(fn),pointer::hook=>null()
contains
subroutine run(this,a,b,r)
class(quadrature),intent(in)::this
real(8),intent(in)::a,b
real(8),intent(out)::r
integer::i
r=0
do i=1,this%n
r=r+this%g(a+(i-0.5d0)*(b-a)/this%n)*(b-a)/this%n
end do
end subroutine
real(8) function by_hook(a)
real(8),intent(in)::a
by_hook=hook(a)*2
end function
subroutine root(b,r)
real(8),intent(in)::b
real(8),intent(inout)::r
integer::k
k=0
do while(abs(hook(r)-b)>1d-12 .and. k<8)
k=k+1
r=r-(hook(r)-b)/(1+r**2)
end do
if(hook(r)>1d6)then
r=0
else if(hook(r)>1d5)then
r=hook(r)
end if
end subroutine
end module
module m
use integrators
implicit none
contains
 real(8) function sq(a)
 real(8),intent(in)::a
 sq=a*a
 end function
 real(8) function sn(a)
 real(8),intent(in)::a
 sn=sin(a)
 end function
function choose(k) result(g)
integer,intent(in)::k
procedure(fn),pointer::g
if(k==1)then
g=>sq
else
g=>sn
end if
end function
subroutine set(k,g)
integer,intent(in)::k
procedure(fn),pointer,intent(inout)::g
if(k>1)g=>choose(k)
end subroutine
subroutine soft(a,me,r)
real(8),intent(in)::a
class(material),intent(inout)::me
real(8),intent(out)::r
r=me%k*a*a
me%k=me%k+a
if(a>0.5d0)me%response=>hard
end subroutine
subroutine hard(q,me,w)
real(8),intent(in)::q
class(material),intent(inout)::me
real(8),intent(out)::w
w=sin(me%k*q)
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
type(quadrature)::q,table(3)
type(material)::o
procedure(fn),pointer::p
integer::i,k
q=quadrature(3,sn)
if(x(1)>0)q%g=>sq
p=>q%g
hook=>sn
o%response=>soft
o%k=x(2)
table(1)=q
table(2)%g=>hook
table(3)=table(2)
do k=1,2
do i=1,3
call q%run(0d0,x(i),y(i))
y(i)=y(i)+by_hook(x(i))*p(x(i))
call set(i,p)
if(i==k)hook=>sq
y(i)=y(i)*table(4-i)%g(y(i))+hook(p(y(i)))
call o%response(x(i),r=y(1))
call root(0.2d0*x(2),y(i))
end do
nullify(hook)
if(.not.associated(hook,sq))hook=>sn
end do
end subroutine
end module
