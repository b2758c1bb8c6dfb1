! head: m::f(y)/(x)
! A jump leaves the block of an object whose final procedure changes a real variable.
! refused: C0401 at 28
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

subroutine g(a,k)
real(8),intent(in)::a
integer,intent(in)::k
integer::i
do i=1,k
block
 type(t)::o
 o%v=a*i
 if(i==2) cycle
 o%v=o%v*a
end block
end do
end subroutine
subroutine f(x,y)
real(8),intent(in)::x
real(8),intent(out)::y
st=1
call g(x,3)
y=st
end subroutine
end module
