! head: m::f(y)/(x)
! Default values of components that are arrays, in arrays of objects: function results, outputs, blocks.
module m
implicit none
type vec
 real(8)::c(2)=0
 integer :: k(3) = [1,2,3]
end type
type mat
 type(vec) :: r(2)
 real(8) :: s = 2
end type
contains
function rot(s,k) result(r)
type(vec),intent(in)::s
integer,intent(in)::k
type(vec)::r(0:k)
integer::i
r(0)%c=s%c
do i=1,k
 if (i > 1) r(i)%c=[-r(i-1)%c(2)*r(0)%c(1),r(i-1)%c(1)]*r(i)%k(3)
 r(i)%c(1) = r(i)%c(1) + s%c(2)
end do
end function
subroutine out(q, v)
type(mat), intent(out) :: q(:)
real(8), intent(in) :: v
q(2)%r(1)%c(2) = v*v
q(1)%r(2)%c = v
q(1)%s = q(1)%s*v
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
type(vec)::a,b(3)
type(mat) :: q(3)
integer :: i
a=vec(x(1:2))
b=rot(a,2)
y(1)=b(2)%c(1)*b(3)%c(2)
q(3)%r(2)%c = x(3)
do i = 1, 2
call out(q, x(i))
y(2) = y(1)*(q(2)%r(1)%c(2) + q(1)%r(2)%c(1)*q(1)%s + q(3)%r(2)%c(1))
q(3)%r(2)%c = x(4)
q(3)%s = x(4)
block
type(mat) :: w(2)
w(1)%r(1)%c(1) = x(3)
y(1) = y(1) + sum(w(1)%r(1)%c)*w(2)%s*w(1)%r(2)%k(2)
end block
end do
end subroutine
end module
