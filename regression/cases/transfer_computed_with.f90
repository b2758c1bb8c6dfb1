! head: m::f(y)/(x)
! an integer of bits is computed with as a number
! refused: C0402 at 12
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer(8)::i
i=transfer(x(1),i)
y(1)=x(2)*real(i,8)*2d0**(-52)
end subroutine
end module
