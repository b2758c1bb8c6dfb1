! head: m::f(y)/(x)
! associate evaluates its subscripts once, into an allocatable temporary
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(2)
real(8)::w(3)
integer::ix(2),k
w=x**2;ix=[3,1]
do k=1,3
associate(d=>w(ix))
 ix=ix(2:1:-1)
 y=d
end associate
w=w*y(1)
end do
end subroutine
end module
