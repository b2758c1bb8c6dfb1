! head: m::f(y)/(x)
! a function behind a dummy counts: it runs once
module m
implicit none
integer::c
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
integer::i
c=0
y=1
do i=1,3
 y(1)=y(1)*x(ap(nx))
end do
y(2)=x(c)
end subroutine
integer function ap(op)
integer,external::op
ap=op()
end function
integer function nx()
c=c+1
nx=c
end function
end module
