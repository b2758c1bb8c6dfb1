! A Cholesky factorisation: in the adjoint of the update, the sum for a(j,k) and the increments of a(i,k) meet at i = j.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n,n)
    integer :: i, j, k
    do j = 1, n
      do i = 1, n
        a(i,j) = 0.1d0*x(i)*x(j)
      end do
      a(j,j) = a(j,j) + 2d0 + x(j)**2
    end do
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
    do i = 1, n
      y(i) = 0d0
      do j = 1, i
        y(i) = y(i) + a(i,j)
      end do
    end do
  end subroutine f
end module m
