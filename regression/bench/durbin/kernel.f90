! durbin: coefficients of linear predictors of growing order from autocorrelations (Levinson's recursion), f = their sum
subroutine kernel(n, lag, x, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n
  real(c_double), intent(in)    :: lag(n)
  real(c_double), intent(inout) :: x(n)
  real(c_double), intent(out)   :: f
  real(c_double) :: longer(n), reflection, power, overlap
  integer :: order, at
  power = 1d0
  reflection = -lag(1)
  x(1) = reflection
  do order = 2, n
    power = power*(1d0 - reflection*reflection)
    overlap = lag(order)
    do at = 1, order-1
      overlap = overlap + x(at)*lag(order-at)
    end do
    reflection = -overlap/power
    do at = 1, order-1
      longer(at) = x(at) + reflection*x(order-at)
    end do
    do at = 1, order-1
      x(at) = longer(at)
    end do
    x(order) = reflection
  end do
  f = 0d0
  do at = 1, n
    f = f + x(at)
  end do
end subroutine
