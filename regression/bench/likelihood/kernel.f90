! likelihood: minus the logarithm of the likelihood of y for a Gaussian process at the points x with lengths s, by Cholesky
subroutine kernel(d, n, x, s, y, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)  :: d, n
  real(c_double), intent(in)  :: x(d,n), s(d), y(n)
  real(c_double), intent(out) :: f
  real(c_double) :: c(n,n), z(n), r
  integer :: i, j, k, info
  do j = 1, n
    do i = j, n
      r = 0d0
      do k = 1, d
        r = r + (s(k)*(x(k,i) - x(k,j)))**2
      end do
      c(i,j) = exp(-r)
    end do
    c(j,j) = c(j,j) + 0.1d0
  end do
  z = y
  call dposv('L', n, 1, c, n, z, n, info)
  f = 0d0
  do i = 1, n
    f = f + 0.5d0*y(i)*z(i) + log(c(i,i))
  end do
end subroutine
