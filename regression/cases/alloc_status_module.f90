! stat= in called procedures: of module variables, components, in scheduled steps
! head: stat2_m::f(y)/(x)
! head: allocinif_m::f(y)/(x)
! head: compstat_m::f(y)/(x)
! head: steps_m::f(y)/(x)
! size: n=7
module stat2_m
implicit none
real(8),allocatable::a(:),b(:)
contains
subroutine ensure(n)
integer,intent(in)::n
integer::st
allocate(a(n),b(0:n-1),stat=st)
if(st/=0.and.size(a)/=n) then
 deallocate(a,b)
 allocate(a(n),b(0:n-1))
end if
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer::k
y=0
do k=1,3
 call ensure(k)
 a=x(1:k)*y(1)+x(k)
 b=a**2
 y(1)=y(1)+sum(a*b)+b(0)
end do
call ensure(2)
a(1)=x(1);a(2)=x(3);b=a
y(1)=y(1)*sum(a)*b(1)
if(allocated(a)) deallocate(a)
deallocate(b)
end subroutine
end module

module allocinif_m
implicit none
real(8),allocatable,save::cache(:)
contains
subroutine get(x,r)
real(8),intent(in)::x(3)
real(8),intent(inout)::r
integer::st
if(.not.allocated(cache)) then
 allocate(cache(3),stat=st)
 cache=x**2
end if
r=r*cache(2)+cache(1)
cache(1)=cache(1)*r
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
y=1
call get(x,y(1))
call get(x,y(1))
call drop
call get(x,y(1))
call drop
end subroutine
subroutine drop
integer::s
deallocate(cache,stat=s)
end subroutine
end module

module compstat_m
implicit none
type t
 real(8),allocatable::v(:)
end type
contains
subroutine add(s,x)
type(t),intent(inout)::s
real(8),intent(in)::x(:)
integer::st
allocate(s%v(size(x)),stat=st)
if(st==0) then
 s%v=x
else
 s%v=s%v*x
end if
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
type(t)::s(2)
integer::k,st
do k=1,4
 call add(s(1+mod(k,2)),x)
end do
y(1)=sum(s(1)%v*s(2)%v)
deallocate(s(1)%v,stat=st)
deallocate(s(1)%v,stat=st)
if(st/=0) y(1)=y(1)**2
end subroutine
end module

module steps_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
real(8)::s(3)
real(8),allocatable::w(:)
integer::t,st
s=x
!$ad checkpoint schedule(revolve) snapshots(2)
do t=1,n
 allocate(w(3),stat=st)
 if(st==0) then
  w=s**2
 else
  w=w*s
 end if
 s=sin(s+w)
 if(mod(t,3)==0) deallocate(w,stat=st)
 if(mod(t,4)==0) deallocate(w,stat=st)
end do
y(1)=sum(s)*w(1)
end subroutine
end module
