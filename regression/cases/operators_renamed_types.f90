! head: m::f(y)/(x)
! Types are renamed, and an operator is used in one procedure only.
module ops
implicit none
type :: v2
 real(8) :: a, b
end type
interface operator(*)
 module procedure mul
end interface
contains
type(v2) function mul(p,q)
type(v2), intent(in) :: p,q
mul%a = p%a*q%a
mul%b = p%b+q%b
end function
end module
module lib
contains
subroutine sq(p)
use ops, only: tt => v2, operator(*)
type(tt), intent(inout) :: p
p = p*p*p
end subroutine
end module
module m
contains
subroutine f(x, y)
use ops, only: vv => v2
use lib, only: square => sq
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(1)
type(vv) :: p
p = vv(x(1), x(2))
call square(p)
call square(p)
y(1) = p%a*p%b + x(3)
end subroutine
end module
