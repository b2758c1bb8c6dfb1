! head: m::f(y)/(x)
! Two used modules have a variable of the same name, which nobody here mentions, and which calls change.
module a
real(8) :: t = 1
contains
subroutine seta(x)
real(8), intent(in) :: x
t = t*x
end subroutine
subroutine usea(x)
real(8), intent(inout) :: x
x = x*t
end subroutine
end module
module b
real(8) :: t = 2
contains
subroutine setb(x)
real(8), intent(in) :: x
t = t+x**2
end subroutine
subroutine useb(x)
real(8), intent(inout) :: x
x = x+t*x
end subroutine
end module
module m
use a
use b
contains
subroutine reset
end subroutine
subroutine f(x, y)
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(1)
real(8) :: z
call resetall
z = x(1)
call seta(x(1))
call setb(x(2))
call usea(z)
call useb(z)
call seta(z)
call setb(z)
call usea(z)
call useb(z)
y(1) = z
end subroutine
subroutine resetall
use a, only: ta => t
use b, only: tb => t
ta = 1
tb = 2
end subroutine
end module
