! hand-written adjoint of kalman: of each step the covariances before and after the prediction, gain, factor and residual are kept
subroutine kernel_b(n, nsteps, a, ab, q, qb, y, yb, f, fb) bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, nsteps
  real(c_double), intent(in)    :: a(n,n), q(n), y(n,nsteps)
  real(c_double), intent(inout) :: ab(n,n), qb(n), yb(n,nsteps), f, fb
  real(c_double), allocatable :: x(:,:), p(:,:,:), m(:,:,:), s(:,:,:), g(:,:,:), r(:,:), w(:,:), xb(:), pb(:,:), gb(:,:), rb(:)
  integer :: it, i, info
  allocate(x(n,0:nsteps), p(n,n,0:nsteps), m(n,n,nsteps), s(n,n,nsteps), g(n,n,nsteps), r(n,nsteps))
  allocate(w(n,n), xb(n), pb(n,n), gb(n,n), rb(n))
  x(:,0) = 0d0
  p(:,:,0) = 0d0
  f = 0d0
  do it = 1, nsteps
    x(:,it) = matmul(a, x(:,it-1))
    call dgemm('N', 'N', n, n, n, 1d0, a, n, p(1,1,it-1), n, 0d0, w, n)
    call dgemm('N', 'T', n, n, n, 1d0, w, n, a, n, 0d0, m(1,1,it), n)
    do i = 1, n
      m(i,i,it) = m(i,i,it) + q(i)
    end do
    s(:,:,it) = m(:,:,it)
    g(:,:,it) = m(:,:,it)
    do i = 1, n
      s(i,i,it) = s(i,i,it) + 1d0
    end do
    call dposv('L', n, n, s(1,1,it), n, g(1,1,it), n, info)
    r(:,it) = y(:,it) - x(:,it)
    f = f + sum(r(:,it)**2)
    call dgemv('T', n, n, 1d0, g(1,1,it), n, r(1,it), 1, 1d0, x(1,it), 1)
    p(:,:,it) = m(:,:,it)
    call dgemm('T', 'N', n, n, n, -1d0, g(1,1,it), n, m(1,1,it), n, 1d0, p(1,1,it), n)
  end do
  xb = 0d0
  pb = 0d0
  do it = nsteps, 1, -1
    ! gb = -m pb^T + r xb^T, mb = pb - g pb
    call dgemm('N', 'T', n, n, n, -1d0, m(1,1,it), n, pb, n, 0d0, gb, n)
    call dger(n, n, 1d0, r(1,it), 1, xb, 1, gb, n)
    w = pb
    call dgemm('N', 'N', n, n, n, -1d0, g(1,1,it), n, w, n, 1d0, pb, n)
    rb = 2d0*fb*r(:,it) + matmul(g(:,:,it), xb)
    yb(:,it) = yb(:,it) + rb
    xb = xb - rb
    ! The solve: gb = s^-1 gb for p, and -gb g^T for the symmetric s, which is p.
    call dpotrs('L', n, n, s(1,1,it), n, gb, n, info)
    pb = pb + gb
    call dgemm('N', 'T', n, n, n, -1d0, gb, n, g(1,1,it), n, 1d0, pb, n)
    do i = 1, n
      qb(i) = qb(i) + pb(i,i)
    end do
    ! m = a p a^T: ab += pb a p^T + pb^T a p, pb = a^T pb a
    call dgemm('N', 'T', n, n, n, 1d0, a, n, p(1,1,it-1), n, 0d0, w, n)
    call dgemm('N', 'N', n, n, n, 1d0, pb, n, w, n, 1d0, ab, n)
    call dgemm('N', 'N', n, n, n, 1d0, a, n, p(1,1,it-1), n, 0d0, w, n)
    call dgemm('T', 'N', n, n, n, 1d0, pb, n, w, n, 1d0, ab, n)
    call dgemm('T', 'N', n, n, n, 1d0, a, n, pb, n, 0d0, w, n)
    call dgemm('N', 'N', n, n, n, 1d0, w, n, a, n, 0d0, pb, n)
    do i = 1, n
      ab(:,i) = ab(:,i) + xb*x(i,it-1)
    end do
    xb = matmul(transpose(a), xb)
  end do
  fb = 0d0
end subroutine
