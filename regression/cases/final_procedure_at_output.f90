! head: m::f(y)/(x)
! a final procedure that changes module state where an output is renewed
! refused: C0404 at 27
module m
implicit none
real(8)::st
type t
 real(8)::v=0
contains
 final::fin
end type
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
type(t)::o
st=0
o%v=x(1)
call g(o,x(2))
y(1)=st
y(2)=o%v
end subroutine
subroutine fin(s)
type(t),intent(inout)::s
st=st+s%v
end subroutine
subroutine g(o,a)
type(t),intent(out)::o
real(8),intent(in)::a
o%v=a
end subroutine
end module
