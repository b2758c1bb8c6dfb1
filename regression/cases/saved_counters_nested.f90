! head: m::f(y)/(x)
! two saved counters, one behind another call
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
integer::i,k1,k2
y=0
k1=0
k2=0
do i=1,3
 call a(k1)
 call b(k2)
 y(1)=y(1)+x(k1)*x(k2)
 y(2)=y(2)+y(1)*k1
end do
end subroutine
subroutine a(k)
integer,intent(inout)::k
integer,save::c=0
if(k==0)c=0
c=c+1
k=c
end subroutine
subroutine b(k)
integer,intent(inout)::k
integer::j
j=k
call a2(j)
k=j
end subroutine
subroutine a2(k)
integer,intent(inout)::k
integer,save::c=4
if(k==0)c=4
c=c-1
k=c
end subroutine
end module
