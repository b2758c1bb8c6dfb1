! head: m::f(y)/(x)
! The names that derivatives would have are taken: modules, procedures, variables.
module m_b
real(8) :: t_b = 4
end module
module m_d
real(8) :: t_d = 5
end module
module m
use m_b
use m_d
implicit none
real(8) :: t = 1
contains
subroutine f_b(x_b, y)
real(8), intent(in) :: x_b
real(8), intent(out) :: y
y = x_b*t_b
t = y
end subroutine
subroutine f_d(x_d, y)
real(8), intent(in) :: x_d
real(8), intent(out) :: y
y = x_d**2*t_d*t
end subroutine
subroutine f(x, y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(1)
real(8) :: x_b, x_d, y_b, y_save, branch
x_b = x(1)
call f_b(x_b, y_b)
call f_d(y_b, x_d)
y_save = x_d*x(2)
branch = y_save
if (branch > 0.1d0) y_save = y_save*x(3)
y(1) = y_save + x_b + y_b
end subroutine
end module
