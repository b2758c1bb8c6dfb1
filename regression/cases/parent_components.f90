! head: m::f(y)/(x)
! Parent components at two levels: copied, passed on, in arrays.
module m
implicit none
type a
 real(8)::v=0.5d0
 real(8)::q(3)=0.1d0
end type
type,extends(a)::t
 real(8)::w=1
end type
type,extends(t)::u
 real(8)::z=1
 type(t)::inner
end type
contains
subroutine g(p,c)
type(a),intent(inout)::p
real(8),intent(in)::c
p%v=p%v*c
p%q(2)=p%q(2)+p%v**2
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(2)
type(u)::o,arr(2)
type(t)::s
type(a)::b
integer::i
s%v=x(2)
s%a%q=x
o%v=x(1)
o%t=s
b%v=x(3)**2
call g(o%a,x(1))
call g(o%t%a,x(2))
o%inner%a=b
do i=1,2
 arr(i)=o
 arr(i)%a%v=arr(i)%v*x(i)
 call g(arr(i)%t%a,x(3))
 arr(i)%t=o%t
 arr(i)%z=arr(i)%t%a%q(2)*o%a%v
end do
y(1)=o%v**2+sum(arr%z)+o%inner%v
o%t%v=x(3)**2
y(2)=y(1)*o%v*o%t%q(2)
end subroutine
end module
