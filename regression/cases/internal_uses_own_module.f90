! head: m::f(y)/(x)
! An internal procedure uses a variable of the module that it stands in.
module m
implicit none
real(8)::w=3
contains
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
w=x(1)*x(2)
y(1)=inner(x(3))
contains
real(8) function inner(x)
real(8),intent(in)::x
inner=w*x
end function
end subroutine
end module
