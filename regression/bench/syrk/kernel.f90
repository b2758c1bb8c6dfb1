! syrk: lower triangle of c = beta c + alpha a a^T, f = sum of the lower triangle
subroutine kernel(m, n, alpha, beta, c, a, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: m, n
  real(c_double), intent(in)    :: alpha, beta
  real(c_double), intent(inout) :: c(n,n)
  real(c_double), intent(in)    :: a(n,m)
  real(c_double), intent(out)   :: f
  integer :: i, j, k
  do j = 1, n
    do i = j, n
      c(i,j) = beta*c(i,j)
    end do
    do k = 1, m
      do i = j, n
        c(i,j) = c(i,j) + alpha*a(i,k)*a(j,k)
      end do
    end do
  end do
  f = 0d0
  do j = 1, n
    do i = j, n
      f = f + c(i,j)
    end do
  end do
end subroutine
