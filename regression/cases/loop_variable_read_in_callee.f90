! head: m::f(y)/(x)
! a module variable is the loop variable, and a called procedure reads it
! value: n=4
module m
implicit none
integer::i
contains
subroutine f(x,n,y)
real(8),intent(in)::x(6)
integer,intent(in)::n
real(8),intent(out)::y(1)
y=0
do i=1,n
  call g(y(1),x)
end do
call g(y(1),x)
end subroutine
subroutine g(r,x)
real(8),intent(inout)::r
real(8),intent(in)::x(6)
r=r+x(i)
end subroutine
end module
