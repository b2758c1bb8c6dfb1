! gemver: a = a + u1 v1^T + u2 v2^T, x = x + beta a^T y + z, w = w + alpha a x, f = sum(w)
subroutine kernel(n, alpha, beta, a, u1, v1, u2, v2, w, x, y, z, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n
  real(c_double), intent(in)    :: alpha, beta
  real(c_double), intent(inout) :: a(n,n), w(n), x(n)
  real(c_double), intent(in)    :: u1(n), v1(n), u2(n), v2(n), y(n), z(n)
  real(c_double), intent(out)   :: f
  real(c_double) :: s
  integer :: i, j
  do j = 1, n
    do i = 1, n
      a(i,j) = a(i,j) + u1(i)*v1(j) + u2(i)*v2(j)
    end do
  end do
  do j = 1, n
    s = 0d0
    do i = 1, n
      s = s + a(i,j)*y(i)
    end do
    x(j) = x(j) + beta*s + z(j)
  end do
  do j = 1, n
    do i = 1, n
      w(i) = w(i) + alpha*a(i,j)*x(j)
    end do
  end do
  f = 0d0
  do i = 1, n
    f = f + w(i)
  end do
end subroutine
