! head: m::f(y)/(x)
! refused: C0401 at 12
! A loop that counts in reals, which Fortran no longer has.
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
real(8)::r
y=0
do r=x(1),x(1)+0.9d0,0.25d0
y(1)=y(1)+x(2)*r
end do
end subroutine
end module
