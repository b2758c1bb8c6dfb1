! hand-written adjoint of cholesky: the factor is all the reverse sweep needs, so no tape
subroutine kernel_b(n, a, ab, f, fb) bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n
  real(c_double), intent(inout) :: a(n,n), ab(n,n), f, fb
  real(c_double) :: d, s, u
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
  do col = 1, n
    do row = col, n
      ab(row,col) = ab(row,col) + fb
    end do
  end do
  fb = 0d0
  do done = n, 1, -1
    do col = done+1, n
      u = a(col,done)
      s = 0d0
      !$omp simd reduction(+:s)
      do row = col, n
        s = s + a(row,done)*ab(row,col)
        ab(row,done) = ab(row,done) - u*ab(row,col)
      end do
      ab(col,done) = ab(col,done) - s
    end do
    d = a(done,done)
    s = 0d0
    !$omp simd reduction(+:s)
    do row = done+1, n
      ab(row,done) = ab(row,done)/d
      s = s + ab(row,done)*a(row,done)
    end do
    ab(done,done) = (ab(done,done) - s)/(2d0*d)
  end do
end subroutine
