! durbin: Levinson-Durbin recursion for the Yule-Walker equations, f = sum(y)
subroutine kernel(n, r, y, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n
  real(c_double), intent(in)    :: r(n)
  real(c_double), intent(inout) :: y(n)
  real(c_double), intent(out)   :: f
  real(c_double) :: z(n), alpha, beta, s
  integer :: i, k
  y(1) = -r(1)
  beta = 1d0
  alpha = -r(1)
  do k = 2, n
    beta = (1d0 - alpha*alpha)*beta
    s = 0d0
    do i = 1, k-1
      s = s + r(k-i)*y(i)
    end do
    alpha = -(r(k) + s)/beta
    do i = 1, k-1
      z(i) = y(i) + alpha*y(k-i)
    end do
    do i = 1, k-1
      y(i) = z(i)
    end do
    y(k) = alpha
  end do
  f = 0d0
  do i = 1, n
    f = f + y(i)
  end do
end subroutine
