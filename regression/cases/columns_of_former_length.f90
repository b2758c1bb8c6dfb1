! head: m::f(y)/(x)
! refused: C0407 at 21
! Columns of an array have the length that a variable had when the procedure was called.
module m
contains
subroutine f(x, y)
  real(8), intent(in) :: x(12)
  real(8), intent(out) :: y(6)
  integer :: n
  n = 2
  call columns(n, x, y)
end subroutine
subroutine columns(n, x, y)
  integer, intent(inout) :: n
  real(8), intent(in) :: x(12)
  real(8), intent(out) :: y(6)
  real(8) :: w(n, 6)
  integer :: i
  w = reshape(x, [n, 6])
  n = 2*n
  call step(n, w(1, 1), w(1, 2))
  y = w(1, :)
end subroutine
subroutine step(n, a, b)
  integer, intent(in) :: n
  real(8) :: a(n), b(n)
  b = a*b
  a = sin(b)
end subroutine
end module
