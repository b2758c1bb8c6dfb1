! head: m::f(y)/(x)
! A final procedure for scalars counts no elements; two objects end where only an integer counts.
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
alive=alive-1
end subroutine

subroutine g(a,r)
real(8),intent(in)::a
real(8),intent(inout)::r
type(t),allocatable::o(:),q(:)
type(t)::w(3)
integer::s,i
allocate(o(3))
o%v=a*[1,2,3]
w%v=o%v**2
r=r*sum(o%v*w%v)
deallocate(o,stat=s)
deallocate(o,stat=s)
if(s==0) r=0
end subroutine
subroutine f(x,y)
real(8),intent(in)::x
real(8),intent(out)::y
st=1
alive=5
y=x
call g(x,y)
y=y*st*alive
end subroutine
end module
