! hand-written adjoint of trisolv: solves with the transpose; only x itself is needed, so no tape
subroutine kernel_b(n, l, lb, b, bb, x, xb, f, fb) bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n
  real(c_double), intent(in)    :: l(n,n), b(n)
  real(c_double), intent(inout) :: lb(n,n), bb(n), x(n), xb(n), f, fb
  real(c_double) :: s
  integer :: i, j
  x = b
  do j = 1, n
    x(j) = x(j)/l(j,j)
    do i = j+1, n
      x(i) = x(i) - l(i,j)*x(j)
    end do
  end do
  xb = xb + fb
  fb = 0d0
  do j = n, 1, -1
    s = xb(j)
    !$omp simd reduction(+:s)
    do i = j+1, n
      s = s - l(i,j)*xb(i)
      lb(i,j) = lb(i,j) - xb(i)*x(j)
    end do
    s = s/l(j,j)
    lb(j,j) = lb(j,j) - s*x(j)
    xb(j) = s
  end do
  bb = bb + xb
  xb = 0d0
end subroutine
