! head: m::f(y)/(x)
! Tables and constants of first calls, which derivative code sets up for itself: behind flags, numbers of calls, memory that
! isn't there yet, and the values of arguments that a table was made for last; in loops and after early returns.
module m
implicit none
integer,parameter::nk=5
contains
subroutine behind_flag(u,r)
real(8),intent(in)::u
real(8),intent(out)::r
logical,save::first=.true.
real(8),save::tab(4),scratch(4),c,part(3)=[1d0,2d0,3d0]
real(8)::a(4)
integer::i
r=0
if(u<-100) return
if(first) then
 tab(1)=1
 do i=2,4
  tab(i)=tab(i-1)*0.5d0+sin(0.1d0*i)
  scratch(i)=tab(i)*2
  tab(i)=tab(i)-0.1d0*scratch(i)
 end do
 a=tab
 c=4*atan(1d0)+a(2)
 part(2)=part(2)*0.25d0
 first=.false.
end if
do i=1,4
 r=r+tab(i)*u**i
end do
r=sin(r*c)*part(2)+part(3)
if(r>0.5d0) r=r*tab(3)*u
end subroutine
! Points and weights of Gauss's quadrature.
subroutine points(n,x,w)
integer,intent(in)::n
real(8),intent(out)::x(n),w(n)
integer::i,j,it
real(8)::z,p1,p2,p3,pp
do i=1,n
 z=cos(3.141592653589793d0*(i-0.25d0)/(n+0.5d0))
 do it=1,20
  p1=1;p2=0
  do j=1,n
   p3=p2;p2=p1
   p1=((2*j-1)*z*p2-(j-1)*p3)/j
  end do
  pp=n*(z*p1-p2)/(z*z-1)
  if(abs(p1/pp)<1d-14) exit
  z=z-p1/pp
 end do
 x(i)=z
 w(i)=2/((1-z*z)*pp*pp)
end do
end subroutine
function counted(a) result(q)
real(8),intent(in)::a
real(8)::q
integer,save::icall=0
real(8),save::x(nk),w(nk)
integer::i
icall=icall+1
if(icall==1) call points(nk,x,w)
q=0
do i=1,nk
 q=q+w(i)*exp(a*x(i))
end do
end function
subroutine by_argument(n,h,y)
integer,intent(in)::n
real(8),intent(in)::h
real(8),intent(inout)::y(n)
integer,save::nold=0
real(8),save::t(10),hold=-1
integer::i
if(n/=nold.or.h/=hold) then
 do i=1,n
  t(i)=cos(h*i*n)
 end do
 nold=n;hold=h
end if
do i=1,n
 y(i)=y(i)*t(i)*y(i)
end do
end subroutine
subroutine memory(k,x,y)
integer,intent(in)::k
real(8),intent(in)::x
real(8),intent(inout)::y
real(8),allocatable,save::w(:)
integer::j
if(k>1) then
 if(.not.allocated(w)) then
  allocate(w(3))
  do j=1,3
   w(j)=1d0/j
  end do
 end if
 y=y+x*w(2)*y+w(3)*x**2
end if
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
integer::i,k
y=x
do k=1,2
 do i=1,3
  call behind_flag(x(i)*y(i),y(i))
  y(i)=y(i)+counted(x(i)*0.3d0)
  call memory(k,x(i),y(i))
  call by_argument(i,0.3d0*x(1),y(1:i))
  y=0.2d0*sin(y)
 end do
end do
end subroutine
end module
