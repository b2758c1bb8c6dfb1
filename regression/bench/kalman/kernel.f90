! kalman: a filter for n states of which all are measured; f = the sum of what measurements and predictions differ by
subroutine kernel(n, nsteps, a, q, y, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)  :: n, nsteps
  real(c_double), intent(in)  :: a(n,n), q(n), y(n,nsteps)
  real(c_double), intent(out) :: f
  real(c_double) :: x(n), p(n,n), s(n,n), g(n,n), w(n,n), r(n)
  integer :: it, i, info
  x = 0d0
  p = 0d0
  f = 0d0
  do it = 1, nsteps
    r = matmul(a, x)
    x = r
    call dgemm('N', 'N', n, n, n, 1d0, a, n, p, n, 0d0, w, n)
    call dgemm('N', 'T', n, n, n, 1d0, w, n, a, n, 0d0, p, n)
    do i = 1, n
      p(i,i) = p(i,i) + q(i)
    end do
    ! The gain is g^T = (p + 1)^-1 p.
    s = p
    g = p
    do i = 1, n
      s(i,i) = s(i,i) + 1d0
    end do
    call dposv('L', n, n, s, n, g, n, info)
    r = y(:,it) - x
    f = f + sum(r**2)
    call dgemv('T', n, n, 1d0, g, n, r, 1, 1d0, x, 1)
    w = p
    call dgemm('T', 'N', n, n, n, -1d0, g, n, w, n, 1d0, p, n)
  end do
end subroutine
