! head: m::f(y)/(x)
! size: n=4
! Columns of an array are two different ones by the bounds of the loops.
module m
contains
subroutine f(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n, 3)
  real(8), intent(out) :: y(n)
  real(8) :: w(n, 3)
  integer :: i, j
  w = x
  do j = 2, 3
    do i = 1, j - 1
      call step(n, w(1, i), w(1, j))
    end do
  end do
  y = w(:, 1) + w(:, 3)
end subroutine
subroutine step(n, a, b)
  integer, intent(in) :: n
  real(8) :: a(n), b(n)
  b = a*b
  a = sin(b)
end subroutine
end module
