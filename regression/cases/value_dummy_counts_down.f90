! head: m::f(y)/(x)
! an integer value dummy that counts down: the caller's keeps its value
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
integer::i,n
y=0
n=4
do i=1,2
 call s(n,x,y(1))
 y(1)=y(1)*n
end do
y(2)=x(n)
end subroutine
subroutine s(n,x,r)
integer,value::n
real(8),intent(in)::x(4)
real(8),intent(inout)::r
do while(n>0)
 r=r+x(n)**2
 n=n-1
end do
end subroutine
end module
