! head: m::f(y)/(x)
! Vector subscripts that are expressions in copies of arrays of objects.
module m
implicit none
type t
 real(8)::v=0
 real(8)::w(2)=0
end type
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(9)
type(t)::v(3),u(3)
integer::i,k(2)
do i=1,3
v(i)%v=x(i)
v(i)%w=x(i)**2*i
end do
v(1:2)=v([3,1])
u(2:3)=v([1,2])
u(1)=v(3)
v(2:3)=v(1:2)
k=[2,3]
v(k-1)=u(k)
v([3,1])=v([1,2])
v=v(3:1:-1)
y(1:3)=v%v*v%w(1)
y(4:6)=u%v*u%w(2)
y(7:9)=u([3,2,1])%v*sin(v%w(2))
end subroutine
end module
