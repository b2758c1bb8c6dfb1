! head: m::f(y)/(x)
! a function in an output list counts, and the count selects elements
module m
implicit none
integer::c
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
character(80)::b
integer::i
c=0
y=1
do i=1,3
write(b,*) nx()
y(1)=y(1)*x(c)
end do
y(2)=x(c)
end subroutine
integer function nx()
c=c+1
nx=c
end function
end module
