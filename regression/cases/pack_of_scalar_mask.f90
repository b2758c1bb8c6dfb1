! head: m::f(y)/(x)
! size: n=4
! `pack` with a scalar mask: all values or none
module m
implicit none
contains
subroutine f(n,x,y)
integer, intent(in) :: n
real(8), intent(in) :: x(n)
real(8), intent(out) :: y(n)
logical :: on
real(8), allocatable :: p(:)
on = x(1) > -100
y = pack(x, on)**2 + sum(pack(x, .not. on)) + pack(x, .not. on, 3*x)
p = pack(reshape(x, [2,n/2]), .true.)
y = y*p
end subroutine
end module
