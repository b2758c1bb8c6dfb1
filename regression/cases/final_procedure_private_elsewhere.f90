! head: u::f(y)/(x)
! layout: extend
! Objects of a type whose final procedure, and what it changes, another module keeps to itself.
module m
implicit none
private
real(8)::st=1
integer::alive=0
type,public:: t
 real(8)::v=0
contains
 final::fin
end type
public:: get,start
contains
subroutine fin(s)
type(t),intent(inout)::s
st=sin(st*s%v)+s%v**2
alive=alive-1
end subroutine
subroutine start
st=1
alive=2
end subroutine
real(8) function get()
get=st*alive
end function
end module
module u
use m
implicit none
contains
subroutine g(a,r)
real(8),intent(in)::a
real(8),intent(out)::r
type(t)::o
o%v=a
r=sin(o%v)
end subroutine
subroutine f(x,y)
real(8),intent(in)::x
real(8),intent(out)::y
call start
call g(x,y)
y=y*get()
end subroutine
end module
