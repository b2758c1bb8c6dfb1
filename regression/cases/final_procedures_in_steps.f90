! head: m::f(y)/(x)
! size: nt=7
! Objects of the module, of functions, internal and recursive procedures, and of steps under a schedule.
module m
implicit none
real(8)::st
integer::alive=0
type t
 real(8)::v=0
contains
 final::fin
end type
type n
 real(8)::v=0
contains
 final::finn
end type
type(t),allocatable::mo
type(t),pointer::mp=>null()
contains
subroutine fin(s)
type(t),intent(inout)::s
st=sin(st*s%v)+s%v**2
end subroutine
subroutine finn(s)
type(n),intent(inout)::s
alive=alive-1
end subroutine
real(8) function fu(a)
real(8),intent(in)::a
type(n)::p,q
type(t)::o
alive=alive+3
p%v=a
q%v=p%v**2
o%v=q%v*alive
fu=o%v*sin(q%v)
end function
subroutine host(a,r)
real(8),intent(in)::a
real(8),intent(inout)::r
call inner(a*r)
r=r*st
call inner(r*0.5d0)
contains
subroutine inner(b)
real(8),intent(in)::b
type(t)::o
o%v=b*a
r=r+sin(o%v)
end subroutine
end subroutine
recursive subroutine rec(a,k,r)
real(8),intent(in)::a
integer,intent(in)::k
real(8),intent(inout)::r
type(t)::o
o%v=a*k
r=r*cos(o%v)
if(k>1) call rec(a*r,k-1,r)
o%v=o%v*r
end subroutine
subroutine step(u)
real(8),intent(inout)::u(:)
type(t)::o
type(n)::p
integer::i
do i=1,size(u)
 if(u(i)>100) return
 u(i)=sin(u(i)+0.1d0*st)
end do
o%v=u(1)*u(2)
p%v=2
alive=alive+1
end subroutine
subroutine f(x,y,nt)
integer,intent(in)::nt
real(8),intent(in)::x(3)
real(8),intent(out)::y(8)
integer::i
real(8)::u(3)
alive=0
st=0.3d0
if(allocated(mo)) deallocate(mo)
st=0.3d0
allocate(mo)
mo%v=x(1)**2
deallocate(mo)
y(1)=st
allocate(mp)
mp%v=x(2)*st
if(x(1)>-5) deallocate(mp)
y(2)=st
y(3)=fu(x(3))
y(3)=y(3)*st
y(3)=y(3)*fu(y(3)*1.1d0)
y(4)=x(1)
call host(x(2),y(4))
y(5)=x(2)
call rec(x(3),3,y(5))
y(6)=st*alive
u=x
!$ad checkpoint schedule(revolve) snapshots(3)
do i=1,nt
 call step(u)
end do
y(7)=sum(u)
y(8)=st*alive
end subroutine
end module
