! Symmetric updates of BLAS, of which one triangle is computed.
! head: m::updates(y)/(x)
! size: n=5
! link: -lblas
module m
  implicit none
contains
  subroutine updates(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n+1, n), b(n, n), c(n, n), v(2*n)
    integer :: i, j
    do j = 1, n
      a(:,j) = 0.1d0*j
      b(:,j) = 0.2d0*sin(x*j)
      c(:,j) = cos(x(j) + 0.3d0*x)
    end do
    v = 0.5d0
    v(::2) = x**2
    call dsyr('U', n, x(1), x, 1, a, n + 1)
    call dsyr('L', n - 1, 0.5d0, v, -2, a, n + 1)
    call dsyr2('L', n, x(2), v, 2, x, -1, a, n + 1)
    call dsyr2('U', n, 0.1d0, v, 1, v(n), 1, a, n + 1)
    call dsyr('U', 0, x(1), x, 1, a, n + 1)
    call dsyr2k('U', 'N', n, n - 1, x(3), b, n, c, n, 0.4d0, a, n + 1)
    call dsyr2k('L', 'T', n - 1, n, 0.7d0, b, n, a, n + 1, x(1), c, n)
    do i = 1, n
      y(i) = sum(a(i,:)*c(:,i)) + a(n+1,i)
    end do
  end subroutine updates
end module m
