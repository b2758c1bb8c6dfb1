! head: m::f(y)/(x)
! Final procedures that free memory behind pointers, count objects, and change real state.
module m
implicit none
real(8)::st
integer::alive=0
type t
 real(8)::v=0
contains
 final::fin
end type
type h
 type(t)::a
 real(8)::w=1
end type
type pt
 real(8),pointer::p(:)=>null()
contains
 final::finp
end type
type c
 real(8)::v(2)=1
contains
 final::finc
end type
contains
subroutine fin(s)
type(t),intent(inout)::s
st=sin(st)+s%v
end subroutine
subroutine finp(s)
type(pt),intent(inout)::s
if(associated(s%p)) deallocate(s%p)
alive=alive-1
end subroutine
elemental impure subroutine finc(s)
type(c),intent(inout)::s
alive=alive+1
end subroutine
subroutine g(a,k)
real(8),intent(in)::a
integer,intent(in)::k
type(t)::o
o%v=a*a
if(k==2) return
o%v=o%v*a
end subroutine
subroutine g2(a)
real(8),intent(in)::a
type(h)::o
o%a%v=a**3
o%w=a
end subroutine
subroutine g3(a,r)
real(8),intent(in)::a
real(8),intent(inout)::r
type(pt)::o
alive=alive+1
allocate(o%p(3))
o%p=a*r
r=sin(sum(o%p))
end subroutine
subroutine g4(a,r)
real(8),intent(in)::a
real(8),intent(inout)::r
type(c)::o(2),q
o(1)%v=a
o(2)%v=a*r
q%v=o(1)%v*o(2)%v
r=r+sum(q%v)*alive
end subroutine
subroutine g5(a)
real(8),intent(in)::a
type(t),allocatable::o
type(t),pointer::q
allocate(o)
o%v=a*a
allocate(q)
q%v=a*st
deallocate(q)
deallocate(o)
allocate(o)
o%v=st**2
end subroutine
subroutine g6(a,r)
real(8),intent(in)::a
real(8),intent(inout)::r
integer::i
do i=1,3
 block
  type(t)::o
  o%v=a*r*i
  r=cos(r*st)
 end block
 r=r+st
end do
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(8)
integer::i
alive=0
st=0
call g(x(1),1)
y(1)=st
do i=1,3
 call g(x(i),i)
end do
y(2)=st
call g2(x(2)*st)
y(3)=st*alive
y(4)=x(1)
call g3(x(1),y(4))
y(5)=x(2)+alive
call g4(x(2),y(5))
call g5(x(3))
y(6)=st
y(7)=st*x(1)
call g6(x(3),y(7))
y(8)=st*alive
end subroutine
end module
