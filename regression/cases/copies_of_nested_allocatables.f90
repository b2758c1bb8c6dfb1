! head: m::f(y)/(x)
! Copies of objects whose components have allocatable components.
module m
implicit none
type a
 real(8),allocatable::q(:)
 real(8)::v=1
end type
type b
 type(a),allocatable::p
 type(a),allocatable::l(:)
 type(a)::s
end type
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
type(b)::c,d
integer::i
allocate(c%p,c%l(2))
allocate(c%p%q(3))
c%p%q=x**2
c%p%v=x(1)
do i=1,2
 allocate(c%l(i)%q(i))
 c%l(i)%q=x(i)*i
 c%l(i)%v=x(3)*i
end do
c%s%v=x(2)
d=c
d%p%q=d%p%q*d%p%v
d%l(2)%q=d%l(2)%q**2
y(1)=sum(d%p%q)
y(2)=d%l(2)%q(1)*c%l(2)%q(2)+d%s%v*d%l(1)%v
d%p%v=y(1)
c=d
y(3)=c%p%v*c%l(2)%q(2)
end subroutine
end module
