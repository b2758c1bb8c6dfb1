module hand
contains
  subroutine energy_d(n, x, x_d, e, e_d)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), x_d(n)
    real(8), intent(out) :: e, e_d
    e = sum(x**2)
    e_d = sum(2*x*x_d)
  end subroutine
  subroutine energy_b(n, x, x_b, e_b)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: x_b(n), e_b
    x_b = x_b + 2*x*e_b
    e_b = 0
  end subroutine
  subroutine scale_by_d(n, factor, x, x_d)
    integer n
    real(8) factor, x(n)
    real(8), optional :: x_d(n)
    if (present(x_d)) x_d = factor*x_d
    x = factor*x
  end subroutine
  subroutine scale_by_b(n, factor, x, x_b)
    integer n
    real(8) factor, x(n)
    real(8), optional :: x_b(n)
    if (present(x_b)) x_b = factor*x_b
  end subroutine
end module
subroutine scale_by(n, factor, x)
  integer n
  real(8) factor, x(n)
  x = factor*x
end subroutine
subroutine clear(n, x)
  integer, intent(in) :: n
  real(8), intent(out) :: x(n)
  x = 0.25d0
end subroutine
function energy(n, x) result(e)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8) :: e
  e = sum(x**2)
end function
subroutine log_state(n, x)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  if (sum(x) > 1e30) print *, x
end subroutine
subroutine smooth(n, w, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: w, x(n)
  real(8), intent(out) :: y(n)
  y = w*x + (1-w)*cshift(x, 1)
end subroutine
subroutine smooth_d(n, w, w_d, x, x_d, y, y_d)
  integer, intent(in) :: n
  real(8), intent(in) :: w, w_d, x(n), x_d(n)
  real(8), intent(out) :: y(n), y_d(n)
  y = w*x + (1-w)*cshift(x, 1)
  y_d = w*x_d + (1-w)*cshift(x_d, 1) + w_d*(x - cshift(x, 1))
end subroutine
subroutine smooth_b(n, w, w_b, x, x_b, y, y_b)
  integer, intent(in) :: n
  real(8), intent(in) :: w, x(n), y(n)
  real(8), intent(inout) :: w_b, x_b(n), y_b(n)
  x_b = x_b + w*y_b + (1-w)*cshift(y_b, -1)
  w_b = w_b + sum((x - cshift(x, 1))*y_b)
  y_b = 0
end subroutine
