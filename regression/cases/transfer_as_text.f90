! head: m::f(y)/(x)
! bits are written and read as hexadecimal text
! refused: C0402 at 14
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
character(16)::s
integer(8)::k
write(s,'(z16.16)') transfer(x(1),1_8)
read(s,'(z16)') k
y(1)=transfer(k,1d0)+x(3)
end subroutine
end module
