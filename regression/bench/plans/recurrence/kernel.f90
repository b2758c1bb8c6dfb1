! recurrence: a nonlinear recurrence of two numbers, such as of a population and its food, over a long series
! head: kernel(f)/(rate,food)
! size: n=20
subroutine kernel(n, rate, food, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)  :: n
  real(c_double), intent(in)  :: rate(n), food(n)
  real(c_double), intent(out) :: f
  real(c_double) :: x, y, born
  integer :: i
  x = 0.5d0
  y = 0.5d0
  f = 0d0
  do i = 1, n
    born = rate(i)*x*y/(1d0 + y)
    y = y + 0.1d0*(food(i) - x*y)
    x = x + 0.2d0*(born - 0.3d0*x*x)
    f = f + x*x
  end do
end subroutine
