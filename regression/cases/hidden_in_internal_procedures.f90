! head: m::f(y)/(x)
! A local variable of an internal procedure hides one of the host that a call changes.
module m
contains
subroutine f(x, y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(1)
real(8) :: t, u
t = x(1)
u = x(2)
call one(u)
call one(u)
y(1) = t*u
contains
subroutine one(z)
real(8), intent(inout) :: z
real(8) :: t
t = z
call two(z)
z = z*t
call two(z)
end subroutine
subroutine two(z)
real(8), intent(inout) :: z
z = z*t
t = t + z**2
end subroutine
end subroutine
end module
