! head: m::f(y)/(x)
! layout: extend
! A final procedure that changes private variables.
module m
implicit none
private
real(8)::st
integer::alive=0
type t
 real(8)::v=0
contains
 final::fin
end type
public::f
contains
subroutine fin(s)
type(t),intent(inout)::s
st=sin(st*s%v)+s%v**2
alive=alive-1
end subroutine
subroutine g(a)
real(8),intent(in)::a
type(t)::o
o%v=a
end subroutine
subroutine f(x,y)
real(8),intent(in)::x
real(8),intent(out)::y
st=1
alive=3
call g(x)
y=st*alive
end subroutine
end module
