! head: m::f2(y)/(x)
! Optional dummy procedures that are given, called and handed on, and optional objects of a class that are absent.
module m
implicit none
abstract interface
 real(8) function fn(a)
 real(8),intent(in)::a
 end function
end interface
type t
 real(8)::v=1
end type
type,extends(t)::e
 real(8)::w=2
end type
contains
real(8) function sq(a)
real(8),intent(in)::a
sq=a**2
end function
real(8) function cu(a)
real(8),intent(in)::a
cu=a**3
end function
subroutine opt(a,r,p)
real(8),intent(in)::a
real(8),intent(inout)::r
procedure(fn),optional::p
r=a*r
if(present(p)) then
 r=p(r)
else
 r=0
end if
end subroutine
subroutine on(a,r,p)
real(8),intent(in)::a
real(8),intent(inout)::r
procedure(fn),optional::p
if(.not.present(p)) return
call opt(a,r,p)
r=r*p(a)
end subroutine
subroutine g(r,o,q)
real(8),intent(inout)::r
class(t),intent(in),optional::o
class(t),intent(inout),optional::q
call h(r,o)
if(.not.present(q)) return
select type(q)
type is(t)
 r=r*q%v
 q%v=r
type is(e)
 r=r+q%w*q%v
 q%w=r
end select
end subroutine
subroutine h(r,o)
real(8),intent(inout)::r
class(t),intent(in),optional::o
if(.not.present(o)) then
 r=sin(r)
 return
end if
select type(o)
type is(t)
 r=r*o%v**2
class is(e)
 r=r*o%v*o%w
end select
end subroutine
subroutine f2(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(6)
type(t)::o
type(e)::p
y=x(1)
call opt(x(2),y(2),sq)
call opt(x(3),y(3),cu)
call on(x(1),y(1),sq)
call on(x(1),y(1),p=cu)
o%v=x(1)
p%v=x(2)
p%w=x(3)
call g(y(4))
call g(y(4),o)
call g(y(5),p,o)
call g(y(5),q=p)
call g(y(6),o,p)
y(6)=y(6)*p%w*o%v
end subroutine
end module
