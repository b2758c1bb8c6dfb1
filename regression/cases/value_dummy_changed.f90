! head: m::f(y)/(x)
! a value dummy that the function changes
module m
implicit none
contains
subroutine f(x,y)
real(8),intent(in)::x(2)
real(8),intent(out)::y(1)
y(1)=g(x(1))+x(1)
end subroutine
real(8) function g(s)
real(8),value::s
s=s**2
g=s
end function
end module
