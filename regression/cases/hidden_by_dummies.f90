! head: m::f(y)/(x)
! Dummies and local variables hide what generated code needs, in names of derivatives too.
module s
real(8) :: w = 1, v(2) = 1
contains
subroutine bump(q)
real(8), intent(inout) :: q
q = q*w*v(1)
w = w + q
v = v*q
end subroutine
subroutine ini
w = 1
v = 1
end subroutine
end module
module m
contains
subroutine f(x, y)
use s, only: ini
real(8), intent(in) :: x(3)
real(8), intent(out) :: y(1)
real(8) :: w
call ini
w = x(1)
call g(x(2), w)
call g(w, w_b=x(3))
y(1) = w
contains
subroutine dummyproc
end subroutine
end subroutine
subroutine g(v, w_b)
use s, only: bump
real(8), intent(in) :: v
real(8) :: w_b
real(8) :: w, t
w = v**2
t = w
call bump(t)
w = w*t
call bump(w)
end subroutine
end module
