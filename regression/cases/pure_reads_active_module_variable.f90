! head: m::f(y)/(x)
! the adjoint of a pure function that reads an active module variable isn't pure
module m
implicit none
real(8)::gl
contains
pure real(8) function g(a)
real(8),intent(in)::a
g=a*gl
end function
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
gl=x(1)
y(1)=g(x(2))
end subroutine
end module
