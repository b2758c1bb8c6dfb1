! head: m::f(y)/(x)
! optional with array sections, keyword order, optional function argument, optional derived type, nested absent in a time loop
module m
implicit none
type t
 real(8)::a(3)
 real(8),allocatable::b(:)
end type
contains
recursive function total(a,t1,scale) result(r)
real(8),intent(in)::a(:)
type(t),intent(inout),optional::t1
real(8),intent(in),optional::scale
real(8)::r
r=sum(a**2)
if(present(scale)) r=r*scale
if(present(t1)) then
 t1%a=t1%a*r
 if(.not.allocated(t1%b)) t1%b=t1%a
 t1%b=t1%b+a(1)
 r=r+sum(t1%b)
end if
end function
subroutine drive(a,t1,scale,r)
real(8),intent(inout)::a(:)
type(t),intent(inout),optional::t1
real(8),intent(inout),optional::scale
real(8),intent(inout)::r
integer::k
do k=1,2
 r=r+total(a(::2),scale=scale)
 if(present(scale)) scale=scale*0.9d0+0.01d0*a(1)
 r=r+total(a,t1=t1)*0.1d0
 a=a*0.9d0+0.01d0*a**2
end do
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(3)
real(8)::a(4),s
type(t)::tt
a=x
s=x(2)
tt%a=x(1:3)
y=0
call drive(a,r=y(1))
call drive(a,scale=s,r=y(2))
call drive(a,tt,r=y(3))
call drive(a,tt,s,y(3))
y(3)=y(3)+sum(tt%b)*s+sum(tt%a)
end subroutine
end module
