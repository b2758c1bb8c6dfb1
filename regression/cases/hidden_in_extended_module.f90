! head: m::f(y)/(x)
! layout: extend
! In an extended module what hides a module variable is renamed, a dummy that is passed by keyword too.
module m
real(8), private :: t = 1
contains
subroutine bar(z)
real(8), intent(inout) :: z
z = z*t
t = t + z
end subroutine
subroutine f(x, y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(1)
real(8) :: z
call zap
z = x(1)
call foo(z, x(2))
call foo(z, t=x(3))
y(1) = z
end subroutine
subroutine zap
t = 1
end subroutine
subroutine foo(z, t)
real(8), intent(inout) :: z
real(8), intent(in) :: t
call bar(z)
z = z*t
call bar(z)
z = z*z*t
end subroutine
end module
