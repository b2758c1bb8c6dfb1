! head: m::f(y)/(x)
! size: n=4 nt=6
! optional arguments that are handed on, saved, cleared and part of a state
module m
implicit none
contains
subroutine clear(c)
real(8),intent(out),optional::c(:)
if(present(c)) c=2
end subroutine
subroutine step(a,b,c,w)
real(8),intent(inout)::a(:)
real(8),intent(inout),optional::b(:)
real(8),intent(inout),optional::c(:)
real(8),allocatable,intent(inout),optional::w(:)
integer::i
do i=2,size(a)
 a(i)=a(i)-0.1d0*a(i-1)*a(i)
 if(present(b)) b(i)=0.5d0*b(i)+0.1d0*b(i)*a(i)
end do
if(present(w)) then
 if(allocated(w)) then
  w=0.5d0*w+0.2d0*w*a
 else
  w=a**2
 end if
end if
call clear(c)
if(present(c).and.present(b)) c=c*b
end subroutine
subroutine run(nt,a,b,c,w)
integer,intent(in)::nt
real(8),intent(inout)::a(:)
real(8),intent(inout),optional::b(:)
real(8),intent(inout),optional::c(:)
real(8),allocatable,intent(inout),optional::w(:)
integer::it
!$ad checkpoint snapshots(2)
do it=1,nt
 call step(a,b,c,w)
end do
do it=1,2
 call step(a,c=c)
end do
if(present(b)) b=b**2
call clear(c)
end subroutine
subroutine f(n,nt,x,y)
integer,intent(in)::n,nt
real(8),intent(in)::x(n)
real(8),intent(out)::y(n)
real(8)::a(n),b(n),c(n)
real(8),allocatable::w(:)
a=x;b=x**2;c=sin(x)
y=0
call run(nt,a)
y=y+a
call run(nt,a,b)
y=y+b
call run(nt,a,c=c)
y=y+c
call run(nt,a,b,c)
y=y+a*b+c
call run(nt,a,b,w=w)
y=y+w
end subroutine
end module
