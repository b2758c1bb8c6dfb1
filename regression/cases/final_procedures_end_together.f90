! head: m::f(y)/(x)
! Two objects end at once, and their final procedure changes a real variable: in which order, compilers decide.
! refused: C0404 at 22
module m
implicit none
real(8)::st
integer::alive=0
type t
 real(8)::v=0
contains
 final::fin
end type
contains
subroutine fin(s)
type(t),intent(inout)::s
st=sin(st*s%v)+s%v**2
alive=alive-1
end subroutine

subroutine g(a)
real(8),intent(in)::a
type(t)::o,p
o%v=a; p%v=a*a
end subroutine
subroutine f(x,y)
real(8),intent(in)::x
real(8),intent(out)::y
st=1
call g(x)
y=st
end subroutine
end module
