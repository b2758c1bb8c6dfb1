! head: m::f(y)/(x)
! the adjoint pops a primal output from its tape
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i,c
y=1
c=0
do while (c<4)
 c=c+1
 y=y*x(c)
end do
end subroutine
end module
