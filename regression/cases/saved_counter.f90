! head: m::f(y)/(x)
! a procedure with a saved counter never runs again
module m
implicit none
contains
subroutine nxt(k)
integer,intent(inout)::k
integer,save::c=0
if(k==0) c=0
c=c+1
k=c
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
integer::i,k
y=1
k=0
do i=1,3
call nxt(k)
y(1)=y(1)*x(k)+k
end do
end subroutine
end module
