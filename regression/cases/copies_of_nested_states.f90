! head: m::f(y)/(x)
! size: nt=6
! Copies of states with nested allocatable components in steps, in callees, of array elements.
module m
implicit none
type a
 real(8),allocatable::q(:)
 real(8)::v=1
end type
type b
 type(a),allocatable::l(:)
 type(a),allocatable::p
 integer::n=0
end type
contains
subroutine start(s,x)
type(b),intent(inout)::s
real(8),intent(in)::x(3)
integer::i
allocate(s%l(0:2))
do i=0,2
 allocate(s%l(i)%q(2))
 s%l(i)%q=x(i+1)
 s%l(i)%v=x(3-i)
end do
s%n=2
end subroutine
subroutine advance(old,new,k)
type(b),intent(in)::old
type(b),intent(inout)::new
integer,intent(in)::k
integer::i
new=old
do i=0,2
 new%l(i)%q=sin(old%l(i)%q*old%l(mod(i+k,3))%v)+0.1d0*i
 new%l(i)%v=cos(old%l(i)%v)*sum(old%l(i)%q)
end do
new%n=new%n+1
if(k==2) then
 if(.not.allocated(new%p)) allocate(new%p)
 new%p%v=new%l(1)%v
 new%p%q=new%l(2)%q*k
end if
end subroutine
subroutine f(x,y,nt)
integer,intent(in)::nt
real(8),intent(in)::x(3)
real(8),intent(out)::y(4)
type(b)::s,n,w(2)
integer::k
call start(s,x)

do k=1,nt
 call advance(s,n,k)
 s=n
end do
w(2)=s
w(1)=w(2)
w(1)%l(1)%q(1)=w(1)%l(1)%q(1)*w(2)%l(1)%v
y(1)=sum(w(1)%l(1)%q)
y(2)=s%l(0)%v*s%n
y(3)=s%l(2)%q(2)
y(4)=w(2)%p%v*sum(s%p%q)
end subroutine
end module
