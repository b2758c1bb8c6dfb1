! What a loop leaves in its variable: after its end, after an exit, after no iteration, in later bounds and subscripts
! head: exitsearch_m::f(y)/(x)
! head: exitnone_m::f(y)/(x)
! head: carried_m::f(y)/(x)
! head: selfbound_m::f(y)/(x)
! head: nested_m::f(y)/(x)
! head: printed_m::f(y)/(x)
! head: kinds_m::f(y)/(x)
! head: while_m::f(y)/(x)
! head: endless_m::f(y)/(x)
! head: subscripts_m::f(y)/(x)
! head: noloopforward_m::f(y)/(x)
! head: blocklocal_m::f(y)/(x)
! head: branchloop_m::f(y)/(x)
! head: concurrent_m::f(y)/(x)
! head: dummyvar_m::f(y)/(x)
! size: n=4
module exitsearch_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i
do i=1,n
 if (x(i)>0.7d0) exit
end do
y(1)=x(i)**2
end subroutine
end module

module exitnone_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i
y=1
do i=n,1,-2
 y=y*x(i)
 if (x(i)>70.7d0) exit
end do
y(1)=y(1)*x(i+2)**2*(i+5)
end subroutine
end module

module carried_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i,t
y=1
i=2
do t=1,4
 y=y*sin(y*x(i))+x(i)
 do i=1,mod(t,3)
  y=y+x(i)**2
 end do
end do
y=y*x(i)
end subroutine
end module

module selfbound_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i,k
y=1
i=2
do i=i,i+2
 y=y*x(i)
end do
k=n
do i=1,k
 k=k-1
 if(k>2) y=y*x(k)
end do
y=y*x(i)*x(k+1)
do i=1,3,2
 y=y*x(i)
end do
y=y*x(i)
k=2
do i=6,1,-k
 k=k+1
 y=y*x(i)
end do
y=y*x(i+1)
do k=i,3
 y=y+x(i+k+1)
end do
y=y*x(k)
end subroutine
end module

module nested_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i,j,k
y=0
outer: do i=1,n
 do j=i,n
  do k=1,j
   if (x(k)*x(j)>0.9d0) exit outer
   if (x(k)>0.8d0) cycle outer
   y=y+x(k)*x(j)
  end do
  y=y*x(k)
 end do
 y=y+x(j)*x(k)
end do outer
y=y*x(min(i,6))+x(j)**2+x(k)
end subroutine
end module

module printed_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i
character(80)::s
y=0
do i=1,n
 write(s,*) i, x(i)
 y=y+x(i)**2
end do
write(s,'(i0)') i
y=y*x(i)*len_trim(s)
do i=1,3
 select case(i)
 case(1)
  y=y*x(i)
 case default
  y=y+x(i)
 end select
end do
y=y*x(i)
end subroutine
end module

module kinds_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer(8)::i
integer(2)::j
y=0
do i=1,n
 y=y+x(i)**2
end do
y=y*x(i)
do j=1_8,n,2
 y=y+x(j)**2
end do
y=y*x(j)
do j=n,1_8,-1
 y=y+x(j)**2
end do
y=y*x(j+1)
end subroutine
end module

module while_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i,c
y=1
i=1
c=0
do while (i<6.and.c<4)
 c=c+1
 do i=c,5
  if (x(i)>0.8d0) exit
  y=y*x(i)
 end do
 y=y*x(i)
end do
end subroutine
end module

module endless_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i,c
y=1
c=0
do
 c=c+1
 do i=1,c
  y=y*sin(y+x(i))
 end do
 if (i>4) exit
end do
y=y+x(i)
end subroutine
end module

module subscripts_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(6)
integer::i,j,ip(6)
y=x
do j=1,3
do i=1,j
 ip(i)=i
end do
ip(i)=j
y(i)=y(ip(i))*y(i)+x(j)
y(ip(j))=y(i)*y(ip(j))
end do
y(i)=y(i)*y(j)
end subroutine
end module

module noloopforward_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i,j
y=x(6)
do j=3,n
do i=1,3
 y=y+x(i)
end do
end do
do i=2,n
y=y*2
end do
y=y*x(i)*x(j)
end subroutine
end module

module blocklocal_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i
y=1
i=5
block
 integer::i
 real(8)::z
 z=0
 do i=1,3
  z=z+x(i)**2
 end do
 y=y*z*x(i)
end block
y=y*x(i)
do i=1,2
 block
  real(8)::w(2)
  integer::k
  do k=1,2
   w(k)=x(k+i)*y(1)
  end do
  y=y+w(i)*x(k)
 end block
end do
y=y+x(i)**3
end subroutine
end module

module branchloop_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i,j
i=6
y=1
do j=1,3
if (x(j)>0.6d0) then
do i=1,j
y=y*x(i)
end do
end if
y=y*sin(y*x(i))
end do
end subroutine
end module

module concurrent_m
implicit none
contains
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::i
real(8)::w(6)
i=3
w=x
do concurrent(i=1:n)
 w(i)=x(i)**2
end do
forall(i=1:n) w(i)=w(i)*x(i)
y=sum([(w(i)*x(i),i=1,3)])*x(i)
end subroutine
end module

module dummyvar_m
implicit none
contains
subroutine find(x,i,t)
real(8),intent(in)::x(6),t
integer,intent(out)::i
do i=1,5
 if(x(i)>t) return
end do
end subroutine
subroutine f(x,y,n)
integer,intent(in)::n
real(8),intent(in)::x(6)
real(8),intent(out)::y(1)
integer::k,j
y=1
do k=1,3
call find(x,j,0.4d0+0.2d0*k)
y=y*x(j)*sin(y)
end do
y=y*x(k)
end subroutine
end module
