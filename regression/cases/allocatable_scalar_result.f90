! head: m::f(y)/(x)
! functions with allocatable scalar results
module m
implicit none
contains
function g(a) result(r)
real(8),intent(in)::a
real(8),allocatable::r
r=a**2
end function
subroutine f(x,y)
real(8),intent(in)::x(3)
real(8),intent(out)::y(1)
y(1)=g(x(1))
end subroutine
end module
