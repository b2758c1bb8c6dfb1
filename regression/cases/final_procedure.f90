! head: m::f(y)/(x)
! a final procedure that changes module state: derivative code has more variables of the type
! refused: C0404 at 19
module m
implicit none
real(8)::st
type t
 real(8)::v=0
contains
 final::fin
end type
contains
subroutine fin(s)
type(t),intent(inout)::s
st=s%v
end subroutine
subroutine g(a)
real(8),intent(in)::a
type(t)::o
o%v=a
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
st=0
call g(x(1))
y(1)=st
end subroutine
end module
