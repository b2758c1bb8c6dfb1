! head: m::f(y)/(x)
! A function's result is finalised after its use, or not: compilers differ.
! refused: C0404 at 20
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

function mk(a) result(o)
real(8),intent(in)::a
type(t)::o
o%v=a
end function
subroutine f(x,y)
real(8),intent(in)::x
real(8),intent(out)::y
type(t)::o
st=1
o=mk(x)
y=st*o%v
end subroutine
end module
