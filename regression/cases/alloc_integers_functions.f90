! The same by functions and in scheduled steps
! head: ib1_m::f(y)/(x)
! head: ib5_m::f(y)/(x)
! head: ib6_m::f(y)/(x)
module ib1_m
implicit none
contains
function sel(w,t) result(r)
real(8),intent(in)::w(:),t
integer,allocatable::r(:)
integer::i
r=pack([(i,i=1,size(w))],w>t)
end function
function both(n) result(r)
integer,intent(in)::n
integer::r(n)
integer::i
r=[(i,i=n,1,-1)]
end function
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer,allocatable::idx(:),jd(:),md(:,:)
real(8)::w(3)
integer::k,i
w=x
do k=1,3
 idx=pack([(i,i=1,3)],x>0.2d0*k)
 w(idx)=w(idx)*w(1)
 idx=both(k)
 w(idx)=w(idx)*w(k)
 idx=sel(x,0.25d0*k)
 w(idx)=w(idx)*x(idx)
 jd=maxloc(w)
 w(jd(1))=w(jd(1))*w(2)
 jd=[jd,minloc(w)]
 w(jd(1))=w(jd(1))*w(jd(2))
 md=reshape([1,2,3,k],[2,2])
 w(md(2,2))=w(md(1,2))*w(2)
 md=spread(idx,1,2)
 if(size(md)>2) w(md(1,1))=w(md(2,1))*w(3)
 jd=shape(md)
 w(jd(1))=w(jd(1))*x(jd(1))
 jd=jd+1
 w(jd(1))=w(jd(1))*x(2)
 jd=int(10*x)
 w=w+x(1)*mod(jd,2)
end do
y(1)=sum(w)
end subroutine
end module

module ib5_m
implicit none
type s
 integer,allocatable::ix(:)
 real(8),allocatable::v(:)
end type
contains
subroutine mk(a,k)
type(s),intent(inout)::a
integer,intent(in)::k
integer::i
a%ix=[(i,i=1,k)]
a%v=[(1d0*i,i=1,k)]
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
type(s)::a,b
real(8)::w(3)
integer::k
w=x
do k=1,3
 call mk(a,k)
 a%v=a%v*w(a%ix)
 w(a%ix)=w(a%ix)*a%v
 b=a
 w(b%ix(1))=sum(b%v)
end do
y(1)=sum(w)*sum(b%v)
end subroutine
end module

module ib6_m
implicit none
contains
subroutine stepit(w,ix)
real(8),intent(inout)::w(3)
integer,allocatable,intent(inout)::ix(:)
w(ix(1:2))=w(ix(1:2))*w(ix(1))
ix=[ix(2:),1]
if(size(ix)>4) deallocate(ix)
if(.not.allocated(ix)) ix=[2]
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer,allocatable::ix(:)
real(8)::w(3)
integer::t
w=x
ix=[1,3]
!$ad checkpoint schedule(revolve) snapshots(2)
do t=1,6
 call stepit(w,ix)
 ix=[ix,3]
end do
y(1)=sum(w)
end subroutine
end module
