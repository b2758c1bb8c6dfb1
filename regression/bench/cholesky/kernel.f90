! cholesky: in-place factorisation of the lower triangle (right-looking, column-oriented), f = sum of the factor
subroutine kernel(n, a, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n
  real(c_double), intent(inout) :: a(n,n)
  real(c_double), intent(out)   :: f
  integer :: i, j, k
  do k = 1, n
    a(k,k) = sqrt(a(k,k))
    do i = k+1, n
      a(i,k) = a(i,k)/a(k,k)
    end do
    do j = k+1, n
      do i = j, n
        a(i,j) = a(i,j) - a(i,k)*a(j,k)
      end do
    end do
  end do
  f = 0d0
  do j = 1, n
    do i = j, n
      f = f + a(i,j)
    end do
  end do
end subroutine
