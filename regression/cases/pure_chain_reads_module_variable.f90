! head: m::f(y)/(x)
! pure and elemental functions that read an active module variable, one through the other
module m
implicit none
real(8)::gl
contains
subroutine f(x,y)
real(8),intent(in)::x(4)
real(8),intent(out)::y(2)
gl=x(1)
y(1)=g(x(2))+sum(h(x))
y(2)=gl
end subroutine
pure real(8) function g(a)
real(8),intent(in)::a
g=h(a)*gl
end function
elemental real(8) function h(a)
real(8),intent(in)::a
h=a*gl
end function
end module
