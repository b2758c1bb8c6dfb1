! head: m::f(y)/(x)
! refused: C0404 at 10
! a constant of a first call depends on an argument, and stays what it was in the caller's first call
module m
implicit none
contains
subroutine g(u,r,dx)
real(8),intent(in)::u,dx
real(8),intent(out)::r
logical,save::first=.true.
real(8),save::c
if(first) then
 c=1/(dx*dx)
 first=.false.
end if
r=u*u*c
end subroutine
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(3)
integer::i
do i=1,3
 call g(x(i),y(i),0.5d0*i)
end do
end subroutine
end module
