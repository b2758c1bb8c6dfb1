! Products of matrices and vectors, transposed or not, in place, of themselves, by keyword, and inside larger expressions.
! head: f(y, c)/(a, b, x, y)
! head: f(y)/(a)
! head: f(c)/(x)
subroutine f(n, m, a, b, x, y, c)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: a(n, m), b(m, n), x(m)
  real(8), intent(inout) :: y(n)
  real(8), intent(out) :: c(n, n)
  real(8) :: q(n, n), alpha
  c = matmul(a, b)
  q = matmul(transpose(b), transpose(a))
  c = matmul(c, q)
  c = (matmul(transpose(c), q) + matmul(q, transpose(c)))*1d-2
  c = c/(1 + c**2)
  q = matmul(matrix_b=c, matrix_a=c)*1d-1
  alpha = 0.5d0*x(1)
  y = y + alpha*matmul(a, x)
  y = matmul(q, y)
  y = matmul(y, transpose(q)) - sin(matmul(transpose(q), y))
  y = y*matmul(x, b)
  c = -(matmul(c, matmul(q, c)))*1d-2 + 2
  y = matmul(c + q, 2*y) + dot_product(x, matmul(b, y)) + maxval(matmul(q, c)) + sum(matmul(a, b), 1)
  c(:, 1) = c(:, 1) + y
end subroutine
