! hand-written adjoint of likelihood: c_b = (c^-1 - z z^T)/2, with the inverse from the factor
subroutine kernel_b(d, n, x, xb, s, sb, y, yb, f, fb) bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: d, n
  real(c_double), intent(in)    :: x(d,n), s(d), y(n)
  real(c_double), intent(inout) :: xb(d,n), sb(d), yb(n), f, fb
  real(c_double), allocatable :: c(:,:), e(:,:), z(:)
  real(c_double) :: r, cb, u
  integer :: i, j, k, info
  allocate(c(n,n), e(n,n), z(n))
  do j = 1, n
    do i = j, n
      r = 0d0
      do k = 1, d
        r = r + (s(k)*(x(k,i) - x(k,j)))**2
      end do
      e(i,j) = exp(-r)
      c(i,j) = e(i,j)
    end do
    c(j,j) = c(j,j) + 0.1d0
  end do
  z = y
  call dposv('L', n, 1, c, n, z, n, info)
  f = 0d0
  do i = 1, n
    f = f + 0.5d0*y(i)*z(i) + log(c(i,i))
  end do
  yb = yb + fb*z
  call dpotri('L', n, c, n, info)
  do j = 1, n
    do i = j + 1, n
      cb = fb*(c(i,j) - z(i)*z(j))*e(i,j)
      do k = 1, d
        u = s(k)*(x(k,i) - x(k,j))
        sb(k) = sb(k) - 2d0*cb*u*(x(k,i) - x(k,j))
        xb(k,i) = xb(k,i) - 2d0*cb*u*s(k)
        xb(k,j) = xb(k,j) + 2d0*cb*u*s(k)
      end do
    end do
  end do
  fb = 0d0
end subroutine
