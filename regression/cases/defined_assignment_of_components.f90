! head: m::f(y)/(x)
! head: m::g(y)/(x)
! head: m::arrays(y)/(x)
! The type-bound assignment of a component takes part in the assignment of the whole: in a component of a component, beside
! allocatable components, elementally in arrays, and inherited.
! layout: extend
module m
implicit none
type t
 real(8)::v=0
 integer::count=0
contains
 procedure,private::asg
 procedure,private::from_real
 generic::assignment(=)=>asg,from_real
end type
type u
 type(t)::c
 real(8)::w(2)=0
 real(8),allocatable::q(:)
end type
type w
 type(u)::inner
 real(8)::z=0
end type
type e
 real(8)::v=1
contains
 procedure,private::square
 generic::assignment(=)=>square
end type
type k
 type(e)::parts(3)
 real(8)::s=0
end type
contains
subroutine asg(a,b)
class(t),intent(inout)::a
class(t),intent(in)::b
a%v=a%v+b%v**2
a%count=a%count+1
end subroutine
subroutine from_real(a,b)
class(t),intent(inout)::a
real(8),intent(in)::b
a%v=b**3
end subroutine
elemental subroutine square(a,b)
class(e),intent(inout)::a
class(e),intent(in)::b
a%v=a%v*b%v**2
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
type(u)::o,p
p%c=x(1)
p%w=x(2:3)
p%q=x
o%c=x(3)
o=p
o=p
y(1)=o%c%v*o%c%count
y(2)=sum(o%w)*sum(o%q)
y(3)=x(3)
end subroutine
subroutine g(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
type(w)::o(2),p
integer::i
p%inner%c=x(1)
p%z=x(2)
p%inner%w=x(3)
do i=1,2
 o(i)=p
 p%inner%c=o(i)%inner%c
 p%z=p%z*o(i)%inner%c%v
end do
y(1)=o(2)%inner%c%v
y(2)=o(2)%z*o(1)%inner%w(1)
y(3)=p%z
end subroutine
subroutine arrays(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
type(k)::o,p
p%parts%v=x
p%s=x(1)
o%parts(2)%v=x(2)
o=p
y=o%parts%v*o%s
end subroutine
end module
