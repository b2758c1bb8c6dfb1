! Products under masks, in constructs over elements, and without elements.
! head: f(y)/(a, x)
! head: none(y)/(a, x)
! head: small(y)/(a, x)
subroutine f(n, a, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n), x(n)
  real(8), intent(out) :: y(n)
  real(8) :: b(n, n)
  integer :: i
  y = 0
  where (matmul(a, x) > 0)
    y = matmul(a, x)*x
  elsewhere
    y = matmul(x, a)
  end where
  where (y > 0) y = matmul(a, y)
  forall (i=1:n) b(:, i) = matmul(a, a(:, i))
  forall (i=1:n, x(i) > 0) b(:, i) = matmul(b, b(:, i))
  do concurrent (i=1:n)
    b(i, :) = b(i, :) + matmul(a(i, :), a)
  end do
  y = y + matmul(b, x)
end subroutine
subroutine none(n, a, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n), x(n)
  real(8), intent(out) :: y(n)
  real(8) :: e(n, 0), z(0, n), c(n, n), d(0, 0), v(0)
  e = 1
  z = 2
  v = 3
  c = matmul(e, z)
  d = matmul(z, e)
  y = matmul(e, v) + matmul(c, x) + matmul(v, z)
  v = matmul(z, x)
  v = matmul(d, v)
  y = y + matmul(a, x)
end subroutine
subroutine small(n, a, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n), x(n)
  real(8), intent(out) :: y(n)
  real(8) :: r(2, 2), p(2), rot(3, 3), s
  integer :: i
  y = 0
  do i = 1, n - 1
    s = x(i)
    r = reshape([cos(s), sin(s), -sin(s), cos(s)], [2, 2])
    p = matmul(r, [x(i), x(i + 1)])
    r = matmul(r, matmul(transpose(r), r))
    y(i:i+1) = y(i:i+1) + matmul(r, p)
    rot = matmul(reshape([s, 1d0, 2d0, 3d0, s, 1d0, 2d0, s, s], [3, 3]), reshape([a(i, 1), s, s, 1d0, 2d0, 3d0, s, s, 1d0], [3, 3]))
    y(i) = y(i) + rot(1, 2)*rot(3, 1)
  end do
end subroutine
