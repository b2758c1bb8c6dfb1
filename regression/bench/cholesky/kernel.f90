! cholesky: lower triangular factor in place; each column, when it is done, is taken off all later ones. f = sum of the factor
subroutine kernel(n, a, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n
  real(c_double), intent(inout) :: a(n,n)
  real(c_double), intent(out)   :: f
  integer :: done, col, row
  do done = 1, n
    a(done,done) = sqrt(a(done,done))
    do row = done+1, n
      a(row,done) = a(row,done)/a(done,done)
    end do
    do col = done+1, n
      do row = col, n
        a(row,col) = a(row,col) - a(row,done)*a(col,done)
      end do
    end do
  end do
  f = 0d0
  do col = 1, n
    do row = col, n
      f = f + a(row,col)
    end do
  end do
end subroutine
