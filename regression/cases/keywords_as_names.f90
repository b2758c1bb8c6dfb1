! head: m::f(end)/(x)
! Variables have names of Fortran's keywords.
module m
contains
subroutine f(x, end)
real(8), intent(in) :: x(3)
real(8), intent(out) :: end(1)
real(8) :: if, do, real, integer, then
integer :: function(3), call
if = x(1)
do = if*x(2)
function = [1,2,3]
real = 0
do call = 1, 3
 real = real + x(function(call))*do
end do
then = real
integer = then**2
if (if > 0.1d0) if = if*integer
end(1) = if*real
end subroutine
end module
