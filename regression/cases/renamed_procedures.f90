! head: m::f(y)/(x)
! Two modules have a procedure of the same name; a rename tells them apart.
module aa
implicit none
contains
subroutine g(a)
real(8),intent(inout)::a
a=a**2
end subroutine
end module
module bb
implicit none
contains
subroutine g(a)
real(8),intent(inout)::a
a=a**3
end subroutine
end module
module m
use aa
use bb,only:g3=>g
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
y=x(1)
call g(y(1))
call g3(y(1))
end subroutine
end module
