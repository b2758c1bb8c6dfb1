! head: m::f(y)/(x)
! size: n=4
! local procedure pointers of one target and of several, called, passed on and disassociated
module m
implicit none
abstract interface
 pure real(8) function flux_i(a, b)
 real(8), intent(in) :: a, b
 end function
end interface
interface
 subroutine op_i(v)
 real(8), intent(inout) :: v(:)
 end subroutine
end interface
contains
pure real(8) function upwind(a, b)
real(8), intent(in) :: a, b
upwind = a*b
end function
pure real(8) function central(a, b)
real(8), intent(in) :: a, b
central = 0.5d0*(a + b)**2
end function
subroutine sweep(u, scheme)
real(8), intent(inout) :: u(:)
integer, intent(in) :: scheme
procedure(flux_i), pointer :: flux
integer :: i
if (scheme == 1) then
 flux => upwind
else
 flux => central
end if
do i = 2, size(u)
 u(i) = u(i) + 0.1d0*flux(u(i), u(i-1)) - 0.05d0*flux(u(i-1), u(i))
 if (i == 3) flux => upwind
end do
end subroutine
subroutine a1(v)
real(8), intent(inout) :: v(:)
v = v*v(1)
end subroutine
subroutine a2(v)
real(8), intent(inout) :: v(:)
v = sin(v)
end subroutine
subroutine twice(op, v)
procedure(op_i) :: op
real(8), intent(inout) :: v(:)
call op(v)
call op(v(2:))
end subroutine
subroutine f(n,x,y)
integer, intent(in) :: n
real(8), intent(in) :: x(n)
real(8), intent(out) :: y(n)
procedure(op_i), pointer :: p, q
integer :: k
y = x
do k = 1, 3
 call sweep(y, k)
end do
q => a2
do k = 1, 3
 nullify(p)
 if (mod(k,2) == 0) p => a1
 if (mod(k,2) == 1) p => a2
 call twice(p, y)
 call q(y)
 ! a comment
 if (k == 2) call p(y(3:))
end do
end subroutine
end module
