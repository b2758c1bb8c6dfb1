! messages and records that a statement leaves as they were; statuses and messages of failures are the compiler's own
! head: errmsg_m::f(y)/(x)
! head: iomsg_m::f(y)/(x)
! head: records_m::f(y)/(x)
! head: statuses_m::f(y)/(x)
module errmsg_m
implicit none
real(8),allocatable::w(:)
contains
subroutine step(x,y,k)
real(8),intent(in)::x(3)
real(8),intent(inout)::y
integer,intent(in)::k
integer(8)::first,second
character(60)::text
text='nothing said'
allocate(w(3),stat=first,errmsg=text)
if(first==0) w=x
w=w*y
if(text=='nothing said') y=y*w(2)
allocate(w(2),stat=second)
if(mod(k,2)==0) deallocate(w,stat=second)
if(second==0) text='freed before'
deallocate(w,stat=first,errmsg=text)
if(text=='freed before') y=y*sin(y)
if(first==second) y=0
y=y*x(k)*merge(2,3,first>second)
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer::k
y=x(1)
do k=1,3
call step(x,y(1),k)
end do
end subroutine
end module

module iomsg_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
character(60)::text
character(8)::number
integer::k,st
y=x(1)
do k=1,3
text='right'
write(number,'(i3)',iostat=st,iomsg=text) k
if(text=='right') y=y*x(k)
text='square'
write(number,'(i0)',iostat=st,iomsg=text) 2*k
if(text=='square') y=y*y
end do
end subroutine
end module

module records_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
character(4)::lines(2)
integer::k
y=x(1)
do k=1,3
lines='same'
write(lines,'(i4)') k
if(lines(2)=='same') y=y*x(k)
lines='more'
write(unit=lines,fmt='(i4)') k
if(lines(2)=='more') y=y*y
end do
end subroutine
end module

module statuses_m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
real(8),allocatable::w(:)
real(8),pointer::p(:)
integer::k,st
y=x(1)
nullify(p)
do k=1,3
allocate(w(3),stat=st)
y=sin(y*merge(2,3,st>0))+x(k)
if(st/=0) deallocate(w,stat=st)
y=cos(y*merge(2,3,st==0))-x(k)
allocate(p(k),stat=st)
p=y(1)*x(k)
y=cos(y*sum(p)*merge(2,3,st==0))
if(k<3) deallocate(p,stat=st)
if(k==2) deallocate(p,stat=st)
y=sin(y*merge(2,3,st==0)*x(k))+y
end do
deallocate(w,p,stat=st)
y=y*y*merge(2,3,st==0)
end subroutine
end module
