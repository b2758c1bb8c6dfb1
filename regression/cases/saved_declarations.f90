! head: m::f(y)/(x)
! layout: extend
! Saved state declared in old and new ways: attributes in statements of their own, data after statements, internal
! procedures, named constants of kinds, pointers and texts beside reals, several names in a line.
module m
implicit none
contains
subroutine g1(u,r)
real(8),intent(in)::u
real(8),intent(inout)::r
integer,parameter::wp=kind(1d0),nn=2*2
real(wp)::h(nn)=0.5_wp, s=1.5_wp, &
  w=2.0_wp
integer::i
character(8),save::tag='start'
save w
if(tag=='start') then
 h=u*0.5_wp
 tag='run'
end if
do i=nn,2,-1
 h(i)=h(i-1)
end do
h(1)=u*s
s=sin(s*w)
w=w*u+0.1_wp
r=r+sum(h)
end subroutine
subroutine g2(u,r)
real(8),intent(in)::u
real(8),intent(inout)::r
double precision d
integer k
save d,k
d=d*0.5d0+u
k=k+1
r=r*d+k
data d,k /0.25d0,2/
end subroutine
subroutine g3(u,r)
real(8),intent(in)::u
real(8),intent(inout)::r
call inner(u)
call inner(u*r)
contains
subroutine inner(v)
real(8),intent(in)::v
real(8),save::z=0.2d0
z=z*v+v
r=r+sin(z)
end subroutine
end subroutine
recursive subroutine g4(u,r,k)
real(8),intent(in)::u
real(8),intent(inout)::r
integer,intent(in)::k
real(8),save::z=0.2d0
z=cos(z)*u
if(k>0) call g4(u*z,r,k-1)
r=r*z
end subroutine
subroutine reset
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(4)
integer::i
y=x(1)
do i=1,3
 call g1(x(i),y(1))
 call g2(x(i),y(2))
 call g3(x(i),y(3))
 call g4(x(i),y(4),2)
end do
end subroutine
end module
