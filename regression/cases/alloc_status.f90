! stat=, source=, move_alloc, scalars, lower bounds and empty arrays
! head: stat1_m::f(y)/(x)
! head: source_m::f(y)/(x)
! head: movealloc_m::f(y)/(x)
! head: movescalar_m::f(y)/(x)
! head: lower_m::f(y)/(x)
! head: inout_m::f(y)/(x)
! head: allocscalar_m::f(y)/(x)
module stat1_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
real(8),allocatable::a(:),b(:),c(:)
integer::i,k
character(40)::msg
allocate(a(0:2),b(3),stat=i,errmsg=msg)
if(i/=0) stop 'no'
a=x; b=x*x
allocate(c(2),a(3),stat=i,errmsg=msg)
c=x(1:2)**2
y(1)=sum(a*b)*a(0)
if(i/=0) y(1)=y(1)*c(2)*len_trim(msg)
deallocate(c,stat=k)
if(k==0) y(1)=y(1)*x(3)
deallocate(c,a,stat=k)
if(k/=0.and.allocated(a)) y(1)=y(1)*a(1)
deallocate(a,stat=k)
if (k==0) y=y*y
end subroutine
end module

module source_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
real(8),allocatable::a(:),b(:),c(:,:)
integer::st,k
y=1
do k=1,2
allocate(a,source=x**k,stat=st)
allocate(b(0:2),source=x*a,stat=st)
allocate(a(3),source=x(1)*x,stat=st)
allocate(c,source=spread(a,1,2))
allocate(c,mold=reshape(x,[1,3]),stat=st)
y(1)=y(1)*sum(a*b)+b(0)+c(2,1)**2+size(c)
if(k==2) exit
deallocate(a,b,c)
end do
end subroutine
end module

module movealloc_m
implicit none
contains
subroutine grow(a,n)
real(8),allocatable,intent(inout)::a(:)
integer,intent(in)::n
real(8),allocatable::t(:)
integer::k
allocate(t(n))
t=0
if(allocated(a)) then
 k=min(n,size(a))
 t(1:k)=a(1:k)
end if
call move_alloc(t,a)
end subroutine
subroutine give(a,b)
real(8),allocatable,intent(inout)::a(:)
real(8),allocatable,intent(out)::b(:)
call move_alloc(from=a,to=b)
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
real(8),allocatable::a(:),b(:)
integer::k
do k=1,3
 call grow(a,k)
 a(k)=x(k)*sum(a)+x(k)**2
end do
call give(a,b)
y(1)=sum(b**2)
if(allocated(a)) y=0
call grow(a,2)
a=a+x(1:2)*b(1:2)
call give(a,b)
y(1)=y(1)*b(1)*b(2)*size(b)
end subroutine
end module

module movescalar_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
real(8),allocatable::a,b
integer,allocatable::i,j
i=3
a=x(1)
call move_alloc(a,b)
call move_alloc(i,j)
b=b*x(j)
if(.not.allocated(a)) a=b*b
y(1)=a*b
end subroutine
end module

module lower_m
implicit none
real(8),allocatable::w(:)
contains
subroutine g(v)
real(8),allocatable,intent(inout)::v(:)
if(lbound(v,1)==-1) v(-1)=v(0)*v(1)
v=v*v(lbound(v,1))
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
real(8),allocatable::v(:),u(:)
allocate(v(-1:1))
v(-1:1)=x
call g(v)
u=v
y(1)=u(-1)
w=v
w(lbound(w,1))=w(1)**2
y(1)=y(1)+sum(w)*u(1)
deallocate(v)
allocate(v(5:7),source=x)
call g(v)
v=[v,x(1)]
y(1)=y(1)*v(1)+v(4)
v=x(1:2)
y(1)=y(1)*v(2)+lbound(v,1)+sum(v)**2
if(allocated(w)) deallocate(w)
end subroutine
end module

module inout_m
implicit none
contains
subroutine mk(x,a,want)
real(8),intent(in)::x(:)
logical,intent(in)::want
real(8),allocatable,intent(out)::a(:)
if(want) a=x**2
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
real(8),allocatable::a(:)
integer::k
y=x(1)
do k=1,4
call mk(x(:min(k,3)),a,mod(k,2)==0)
if(allocated(a)) then
 y(1)=y(1)*sum(a)
else
 y(1)=y(1)+x(2)**2
end if
end do
y(1)=y(1)*a(2)
end subroutine
end module

module allocscalar_m
implicit none
type t
 real(8)::u=0
 real(8),allocatable::v
end type
contains
function g(a) result(r)
real(8),intent(in)::a
real(8),allocatable::r
if (a>0.5d0) then
 r=a**2
else
 allocate(r)
 r=a*3
end if
end function
function h(a) result(r)
real(8),intent(in)::a
type(t),allocatable::r
allocate(r)
r%u=a
r%v=a*a
end function
recursive function pow(a,n) result(r)
real(8),intent(in)::a
integer,intent(in)::n
real(8),allocatable::r
if(n==0) then
 r=1
else
 r=a*pow(a,n-1)
end if
end function
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
real(8),allocatable::s,z
type(t)::q
integer::k
y(1)=g(x(1))*g(x(2))+sin(g(x(3)))
s=g(x(2)*y(1))
s=s*g(s)
q%u=x(1);q%v=x(2)
y(1)=y(1)*s+q%u*q%v
do k=1,3
 if (g(x(k))>0.3d0) y(1)=y(1)*g(x(k))*pow(x(k),k)
 if (allocated(z)) then
  z=z*g(x(k))
 else
  z=g(x(k))
 end if
end do
y(1)=y(1)*z
if (.not.allocated(q%v)) y=0
end subroutine
end module
