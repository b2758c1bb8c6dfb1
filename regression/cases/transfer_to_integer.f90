! head: m::f(y)/(x)
! bits of a real go to integers and come back
! refused: C0402 at 12
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer::ib(2)
ib=transfer(x(1)**2,ib)
y(1)=transfer(ib,1d0)
end subroutine
end module
