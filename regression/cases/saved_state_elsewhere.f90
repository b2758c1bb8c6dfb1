! head: run::f(y)/(x)
! size: nt=6
! layout: extend
! Saved state of procedures in another module: running means, tables of a first call, allocatable ones, objects, data
! statements, local constants as bounds.
module st
implicit none
integer,parameter::wp=8
type::acc
 real(wp)::s=0
 integer::n=0
end type
contains
subroutine mean(u,r,fresh)
real(wp),intent(in)::u
real(wp),intent(out)::r
logical,intent(in)::fresh
type(acc),save::a
if(fresh) a=acc()
a%s=a%s+u**2
a%n=a%n+1
r=a%s/a%n
end subroutine
subroutine table(u,r,fresh)
real(wp),intent(in)::u
real(wp),intent(inout)::r
logical,intent(in)::fresh
integer,parameter::nk=4
real(wp),save::tab(nk)
real(wp),allocatable,save::w(:)
logical,save::first=.true.
integer::i
if(fresh) first=.true.
if(first) then
 first=.false.
 if(allocated(w)) deallocate(w)
 allocate(w(nk))
 do i=1,nk
  tab(i)=sin(i*u)
  w(i)=tab(i)*u
 end do
end if
r=r*tab(2)+w(3)
end subroutine
real(wp) function filt(u,fresh)
real(wp),intent(in)::u
logical,intent(in)::fresh
real(wp)::old,older
integer::count
data old,older/0.3d0,0.1d0/
data count/0/
save
if(fresh) then
 old=0.3d0;older=0.1d0;count=0
end if
count=count+1
filt=0.5d0*u+0.3d0*old*u+0.2d0*older*count
older=old
old=filt
end function
end module
module run
use st
implicit none
contains
subroutine step(u,k)
real(wp),intent(inout)::u(:)
integer,intent(in)::k
real(wp)::r
integer::i
do i=1,size(u)
 call mean(u(i),r,k==1.and.i==1)
 u(i)=sin(u(i)+r)
 call table(r,u(i),k==1.and.i==1)
 u(i)=u(i)+0.1d0*filt(u(i),k==1.and.i==1)
end do
end subroutine
subroutine f(nt,x,y)
integer,intent(in)::nt
real(wp),intent(in)::x(3)
real(wp),intent(out)::y(3)
integer::k
y=x
!$ad checkpoint schedule(revolve) snapshots(3)
do k=1,nt
 call step(y,k)
end do
end subroutine
end module
