! hand-written adjoint of gemver: column by column, each column of ab is read and written once
subroutine kernel_b(n, alpha, beta, a, ab, u1, u1b, v1, v1b, u2, u2b, v2, v2b, w, wb, x, xb, y, yb, z, zb, f, fb) &
    bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n
  real(c_double), intent(in)    :: alpha, beta
  real(c_double), intent(inout) :: a(n,n), ab(n,n), w(n), wb(n), x(n), xb(n), f, fb
  real(c_double), intent(in)    :: u1(n), v1(n), u2(n), v2(n), y(n), z(n)
  real(c_double), intent(inout) :: u1b(n), v1b(n), u2b(n), v2b(n), yb(n), zb(n)
  real(c_double) :: s, s1, s2, t
  integer :: i, j
  wb = wb + fb
  fb = 0d0
  do j = 1, n
    s = 0d0
    t = 0d0
    !$omp simd reduction(+:s, t)
    do i = 1, n
      a(i,j) = a(i,j) + u1(i)*v1(j) + u2(i)*v2(j)
      s = s + a(i,j)*y(i)
      t = t + a(i,j)*wb(i)
    end do
    x(j) = x(j) + beta*s + z(j)
    xb(j) = xb(j) + alpha*t
    zb(j) = zb(j) + xb(j)
    t = beta*xb(j)
    s1 = 0d0
    s2 = 0d0
    !$omp simd reduction(+:s1, s2)
    do i = 1, n
      ab(i,j) = ab(i,j) + alpha*x(j)*wb(i) + t*y(i)
      yb(i) = yb(i) + t*a(i,j)
      u1b(i) = u1b(i) + ab(i,j)*v1(j)
      u2b(i) = u2b(i) + ab(i,j)*v2(j)
      s1 = s1 + ab(i,j)*u1(i)
      s2 = s2 + ab(i,j)*u2(i)
    end do
    v1b(j) = v1b(j) + s1
    v2b(j) = v2b(j) + s2
  end do
end subroutine
