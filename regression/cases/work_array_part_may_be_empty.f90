! head: m::f(y)/(x)
! size: n=4
! refused: C0407 at 13
! A part with a negative number of elements brings those on both sides of it together.
module m
contains
subroutine f(n, k, x, y)
  integer, intent(in) :: n, k
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: w(8*n)
  w = sum(x)
  call step(n, k, w(1), w(1 + n), w(1 + n + k*n))
  y = w(1:n)
end subroutine
subroutine step(n, k, a, q, b)
  integer, intent(in) :: n, k
  real(8) :: a(n), q(k*n), b(n)
  b = a*b
  a = sin(b)
  if (k > 0) q(1) = 0
end subroutine
end module
