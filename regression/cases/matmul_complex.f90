! Products of complex arrays, and of those with real ones: adjoints hold the conjugate of the other factor.
! head: f(c, v)/(a, b)
! head: mixed(c, y)/(a, b, x)
! head: mixed(y)/(x)
subroutine f(n, a, b, c, v)
  implicit none
  integer, intent(in) :: n
  complex(8), intent(in) :: a(n, n), b(n, n)
  complex(8), intent(out) :: c(n, n), v(n)
  complex(8) :: w(n)
  c = matmul(a, transpose(b))
  c = c + matmul(transpose(conjg(a)), b)
  c = matmul(transpose(c), a)
  v = matmul(c, a(:, 1))
  w = matmul(v, b)
  v = matmul(transpose(a), w)
  w = matmul(v, transpose(c))
  c(:, 1) = c(:, 1) + v*w
  c = matmul(transpose(c), transpose(b))
end subroutine
subroutine mixed(n, a, b, x, c, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n)
  complex(8), intent(in) :: b(n, n)
  real(4), intent(in) :: x(n)
  complex(8), intent(out) :: c(n, n)
  real(8), intent(out) :: y(n)
  real(4) :: z(n)
  complex(4) :: s(n)
  c = matmul(a, b)
  c = c + matmul(b, transpose(a))
  y = matmul(a, x)
  z = matmul(x, a)
  s = matmul(transpose(b), z)
  y = y + real(s*conjg(s)) + z
  y = y + matmul(real(b), x) + aimag(matmul(x, b))
  c(:, 1) = c(:, 1) + s
end subroutine
