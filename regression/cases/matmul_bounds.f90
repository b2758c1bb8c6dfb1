! Products of arrays whose indices begin elsewhere than at 1, of sections with strides, and of elements chosen by a vector.
! head: f(w)/(a, x)
! head: moving(y)/(a, x)
! head: chosen(y)/(x)
! head: saved(y)/(x)
subroutine f(n, l, a, x, w)
  implicit none
  integer, intent(in) :: n, l
  real(8), intent(in) :: a(l:l+n-1, -1:n-2), x(0:n-1)
  real(8), intent(out) :: w(3:n+2)
  real(8) :: q(l:n+l-1, n)
  w = matmul(a, x)
  q = matmul(a, transpose(a))
  w = matmul(w, q)
  w(4:n+2) = matmul(a(l:l+n-2, :), x) + matmul(x(0:n-2), q(l:l+n-2, 2:n))
  w(3:n+2:2) = w(3:n+2:2) + matmul(q(l:l+n-1:2, :), x)
end subroutine
subroutine moving(n, a, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, *), x(*)
  real(8), intent(out) :: y(n)
  integer :: lo, m, t
  real(8) :: v(0:n), u(-n:n)
  v = 0
  u = 0
  lo = 1
  m = n
  v(1:n) = x(1:n)
  do t = 1, 2
    u(lo:m) = matmul(a(lo:m, lo:m), v(lo:m))
    v(lo:m) = u(lo:m)*v(lo:m)
    u(lo-n:m-n) = matmul(v(lo:m), a(lo:m, lo:m))
    lo = lo + 1
    v(lo:) = v(lo:) + matmul(a(lo:n, lo:n), u(lo:))
    m = m - 1
  end do
  y = v(1:n) + u(1:n) + u(-n:-1)
end subroutine
subroutine chosen(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  integer :: k(n, n), i, j, idx(n), kk(n, n)
  do j = 1, n
    idx(j) = 1 + mod(j*3, n)
    do i = 1, n
      k(i, j) = i - j
    end do
  end do
  kk = matmul(k, k)
  y = matmul(k, x) + matmul(x, matmul(k, k)) + kk(1, 1)
  y = y + matmul(kk(:, idx), x(idx))
  y(n:1:-1) = y*2
  y = matmul(spread(x, 2, n)*spread(y, 1, n), x(idx))
end subroutine
! A vector that isn't active is saved, with bounds that aren't constants.
subroutine saved(n, l, nt, x, y)
  implicit none
  integer, intent(in) :: n, l, nt
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  real(8) :: b(n, n), c(l:l+n-1), d(l:l+n-1)
  integer :: t
  b = spread(x, 1, n)
  do t = 1, nt
    c = 0.5d0*t
    c(l) = 3d0/t
    d = matmul(b, c)
    b = b + spread(d, 2, n)*0.1d0
    d = matmul(c, b)
    b = matmul(b, b)*0.01d0
    b(:, 1) = d
  end do
  y = b(:, 1) + b(:, n)
end subroutine
