! Factorisations in place. What their adjoints need stands in the factors.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n,n)
    y = 0d0
    call start(n, x, a)
    call lu(n, a, y)
    call start(n, x, a)
    call cholesky(n, a, y)
    call start(n, x, a)
    call gramschmidt(n, a, y)
  end subroutine f

  subroutine start(n, x, a)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: a(n,n)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        a(i,j) = 0.2d0*x(i)*x(j)
      end do
      a(j,j) = a(j,j) + 2d0 + x(j)**2
    end do
  end subroutine start

  subroutine lu(n, a, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n,n), y(n)
    integer :: i, j, k
    do k = 1, n-1
      do i = k+1, n
        a(i,k) = a(i,k)/a(k,k)
      end do
      do j = k+1, n
        do i = k+1, n
          a(i,j) = a(i,j) - a(i,k)*a(k,j)
        end do
      end do
    end do
    do j = 1, n
      do i = 1, n
        y(i) = y(i) + a(i,j)**2
      end do
    end do
  end subroutine lu

  subroutine cholesky(n, a, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n,n), y(n)
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
    do j = 1, n
      do i = j, n
        y(i) = y(i) + a(i,j)*a(j,j)
      end do
    end do
  end subroutine cholesky

  subroutine gramschmidt(n, a, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n,n), y(n)
    real(8) :: q(n,n), r(n,n), s
    integer :: i, j, k
    do k = 1, n
      s = 0d0
      do i = 1, n
        s = s + a(i,k)*a(i,k)
      end do
      r(k,k) = sqrt(s)
      do i = 1, n
        q(i,k) = a(i,k)/r(k,k)
      end do
      do j = k+1, n
        s = 0d0
        do i = 1, n
          s = s + q(i,k)*a(i,j)
        end do
        r(k,j) = s
        do i = 1, n
          a(i,j) = a(i,j) - q(i,k)*r(k,j)
        end do
      end do
    end do
    do j = 1, n
      do i = 1, j
        y(i) = y(i) + q(i,j)*r(i,j)
      end do
    end do
  end subroutine gramschmidt
end module m
