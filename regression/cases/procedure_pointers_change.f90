! head: m::f(y)/(x)
! Pointers that called procedures associate anew: in recursion, in loops that find out when they end, swapped, in arrays of objects.
module m
implicit none
abstract interface
 real(8) function fn(a)
 real(8),intent(in)::a
 end function
end interface
procedure(fn),pointer::gp=>null(),hp=>null()
type t
procedure(fn),pointer,nopass::g=>null()
real(8)::w
end type
contains
real(8) function sq(a)
real(8),intent(in)::a
sq=a*a
end function
real(8) function sn(a)
real(8),intent(in)::a
sn=sin(a)
end function
recursive subroutine down(n,a,b)
integer,intent(in)::n
real(8),intent(in)::a
real(8),intent(out)::b
real(8)::c
if(n==0)then
b=gp(a)
else
if(n==2)gp=>sn
call down(n-1,a*0.9d0,c)
b=c*gp(a)
end if
end subroutine
subroutine until_small(a)
real(8),intent(inout)::a
integer::k
k=0
do
k=k+1
a=gp(a)*1.1d0
if(mod(k,2)==0)then
gp=>sn
else
gp=>sq
end if
if(gp(a)<0.05d0.or.k>6)exit
end do
end subroutine
subroutine swap()
procedure(fn),pointer::p
p=>gp
gp=>hp
hp=>p
end subroutine
subroutine init(o,n)
integer,intent(in)::n
type(t),intent(out)::o(n)
integer::i
do i=1,n
if(mod(i,2)==0)then
o(i)%g=>sq
else
o(i)%g=>sn
end if
o(i)%w=i
end do
end subroutine
subroutine rotate(o,n)
integer,intent(in)::n
type(t),intent(inout)::o(n)
type(t)::h
h=o(1)
o(1:n-1)=o(2:n)
o(n)=h
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
type(t)::o(3)
integer::i,k
do i=1,3
gp=>sq
call down(3,x(i),y(i))
gp=>sn
y(i)=y(i)+x(i)
call until_small(y(i))
end do
gp=>sn
hp=>sq
call init(o,3)
do k=1,4
do i=1,3
o(i)%w=o(i)%w+y(i)
y(i)=o(i)%g(y(i)+x(i))*o(i)%w*0.25d0
end do
y(1)=gp(y(1))+hp(y(2))
call swap()
call rotate(o,3)
end do
do i=1,k-5
gp=>sq
y(i)=gp(y(i))
end do
end subroutine
end module
