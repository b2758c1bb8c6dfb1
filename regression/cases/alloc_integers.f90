! Integer and logical allocatables that assignments give another shape
! head: ia1_m::f(y)/(x)
! head: ia2_m::f(y)/(x)
! head: ia3_m::f(y)/(x)
! head: ia4_m::f(y)/(x)
! head: ia5_m::f(y)/(x)
! head: ia6_m::f(y)/(x)
! head: assoc_m::f(y)/(x)
! head: assoc2_m::f(y)/(x)
! head: assoc3_m::f(y)/(x)
! head: blockarr_m::f(y)/(x)
! head: blockexit_m::f(y)/(x)
! size: n=3
module ia1_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer,allocatable::idx(:)
real(8)::w(3)
integer::k
w=x
do k=1,3
 idx=[k,mod(k,3)+1]
 w(idx)=w(idx)*w(2)
end do
y(1)=sum(w)
end subroutine
end module

module ia2_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer,allocatable::idx(:)
real(8)::w(3)
integer::k
w=x
idx=[integer::]
do k=1,3
 idx=[idx,k]
 w(idx)=w(idx)*w(idx(1))
end do
y(1)=sum(w)*size(idx)
end subroutine
end module

module ia3_m
implicit none
integer,allocatable::idx(:)
contains
subroutine set(k)
integer,intent(in)::k
integer::i
idx=[(i,i=1,k)]
end subroutine
subroutine use(w)
real(8),intent(inout)::w(3)
w(idx)=w(idx)*w(idx(size(idx)))
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
real(8)::w(3)
integer::k
w=x
do k=3,1,-1
 call set(k)
 call use(w)
end do
call use(w)
y(1)=sum(w)
if(allocated(idx)) deallocate(idx)
end subroutine
end module

module ia4_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
logical,allocatable::mask(:)
real(8)::w(3)
integer::k
w=x
do k=1,3
 mask=w>0.2d0*k
 where(mask) w=w*w*x
 mask=[.true.,mask(2:3)]
 y(1)=count(mask)*1d0
 where(mask) w=w*sin(w)
end do
y(1)=sum(w,mask=mask)
end subroutine
end module

module ia5_m
implicit none
type t
 integer,allocatable::p(:)
 character(:),allocatable::s
end type
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
type(t)::q
real(8)::w(3)
integer::k
w=x
do k=1,3
 q%p=[k,1+mod(k,3)]
 q%s=repeat('a',k)
 w(q%p(1))=w(q%p(2))*w(3)
 if(q%s=='aa') w=w*w(1)
end do
y(1)=sum(w)
end subroutine
end module

module ia6_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer,allocatable::n
real(8)::w(3)
integer::k
w=x
do k=1,3
 n=k
 w(n)=w(n)*w(1+mod(n,3))
 if(k==2) deallocate(n)
end do
y(1)=sum(w)*n
end subroutine
end module

module assoc_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(2)
real(8)::w(3)
integer::ix(2),k
w=x**2;ix=[3,1]
do k=1,3
associate(d=>w(ix))
 ix=ix(2:1:-1)
 y=d
end associate
w=w*y(1)
end do
end subroutine
end module

module assoc2_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(2)
real(8)::w(3),c(2,3)
integer::ix(2),k,j
w=x**2;ix=[3,1]; c=1
j=1
do k=1,3
associate(d=>w(j:j+1), e=>c(:,j), q=>x(ix(1):), z=>w(1)*x(2))
 j=mod(j,2)+1
 ix(1)=ix(1)-1
 d=d*e*z
 e=d*2+size(q)
 w(1)=3*w(2)
 y=d*z
end associate
if(ix(1)<1) ix(1)=3
w=w*y(1)*c(1,j)
end do
end subroutine
end module

module assoc3_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(2)
real(8)::w(3)
integer::i,k
integer,allocatable::p(:)
w=x**2
y=0
p=[2,1,3]
do k=1,2
do i=1,3
associate(d=>w(p(i)), n=>p(i))
 p(i)=1+mod(p(i),3)
 d=d*w(n)+x(k)
 associate(h=>d)
  h=h*2
 end associate
end associate
end do
end do
y(1)=sum(w)
y(2)=w(1)*w(2)
end subroutine
end module

module blockarr_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer::k
y=1
do k=1,n
 block
  real(8)::w(k),z
  real(8),allocatable::a(:)
  integer,parameter::q=2
  w=x(1:k)*y(1)
  if(k>1) allocate(a(q),source=w(1:2))
  z=sum(w)
  if(allocated(a)) z=z*a(q)
  y(1)=y(1)*z+w(k)
 end block
end do
end subroutine
end module

module blockexit_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer::k
y=1
do k=1,n
 b: block
  real(8),allocatable::a(:)
  real(8)::y2
  y2=y(1)
  a=x*y2
  if(a(1)>0.5d0) exit b
  y(1)=y(1)*a(k)
  if(k==2) cycle
  y(1)=y(1)+a(1)
  if(y(1)>1d3) return
 end block b
 y(1)=y(1)*x(k)
end do
end subroutine
end module
