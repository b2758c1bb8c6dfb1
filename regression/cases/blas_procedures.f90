! Procedures of BLAS: vectors with strides, also negative ones, parts of arrays, coefficients that are active and that aren't.
! head: m::vectors(y)/(x)
! head: m::matrices(y)/(x)
! head: m::blocks(y)/(x)
! size: n=5
! link: -llapack -lblas
module m
  implicit none
  double precision, external :: ddot, dnrm2, dasum
contains
  subroutine vectors(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: v(2*n), w(n), c, s
    v = 0.1d0
    w = x**2
    call dcopy(n, x, 1, v, 2)
    call daxpy(n, x(1), w, -1, v(2), 2)
    call dscal(n, 1d0 + x(2), v, 1)
    call dswap(n, v(1), 1, w, 1)
    c = cos(x(3))
    s = sin(x(3))
    call drot(n, w, 1, v, 2, c, s)
    y = w + v(1:2*n:2)*v(2:2*n:2)
    y(1) = y(1) + ddot(n, w, 1, v(n+1), -1)*dnrm2(2*n, v, 1)
    y(2) = y(2) + dasum(n, w, 1) + 0.5d0*ddot(n, x, 1, x, 1)
  end subroutine vectors

  subroutine matrices(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n+1, n), b(n, n), c(n, n)
    integer :: i, j
    do j = 1, n
      do i = 1, n + 1
        a(i,j) = x(j)*(0.3d0 + 0.1d0*i) + 1d0/(i + j)
      end do
      b(:,j) = x*x(j) + 0.1d0*j
      b(j,j) = b(j,j) + 3d0
    end do
    c = 0.2d0
    y = x
    call dgemv('N', n, n, 0.7d0, a, n + 1, x, 1, 0.3d0, y, 1)
    call dgemv('T', n, n - 1, x(1), a(2,1), n + 1, y, 1, x(2), b(1,2), 1)
    call dger(n - 1, n, 0.5d0*x(2), x, 1, y, -1, b, n)
    call dsymv('U', n, x(1), b, n, x, 1, 0.1d0, y, 1)
    call dsymv('L', n, 0.4d0, b, n, y, 1, x(3), c(:,2), 1)
    call dtrmv('U', 'T', 'N', n, b, n, y, 1)
    call dtrmv('L', 'N', 'U', n, b, n, y, 1)
    y = 0.01d0*y
    call dtrsv('L', 'T', 'N', n, b, n, y, 1)
    call dtrsv('U', 'N', 'U', n, b, n, y, 1)
    y = y + matmul(c, x)
    call dgemm('N', 'T', n, n, n, x(1), a, n + 1, b, n, 0.5d0, c, n)
    call dgemm('T', 'N', n - 1, n, n, 0.1d0, c, n, a, n + 1, x(2), b, n)
    y = y + 0.01d0*(sum(b, 2) + sum(c, 1))
  end subroutine matrices

  subroutine blocks(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n, n), b(n, n), c(n, n)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        a(i,j) = 0.1d0*sin(x(j)*i) + 0.01d0*x(i)
      end do
      a(j,j) = 2d0 + x(j)
      b(:,j) = cos(x*j)
    end do
    c = 0.2d0*a
    call dsymm('L', 'U', n, n, 0.3d0, a, n, b, n, x(1), c, n)
    call dsymm('R', 'L', n, n - 1, x(2), a, n, c, n, 0.5d0, b, n)
    call dsyrk('U', 'N', n, n - 1, x(1), b, n, 0.4d0, c, n)
    call dsyrk('L', 'T', n - 1, n, 0.2d0, a, n, x(3), c, n)
    call dtrmm('L', 'U', 'T', 'N', n, n, x(1), a, n, b, n)
    call dtrmm('R', 'L', 'N', 'U', n - 1, n, 0.7d0, a, n, c, n)
    call dtrsm('L', 'L', 'N', 'N', n, n, x(2), a, n, b, n)
    call dtrsm('R', 'U', 'T', 'U', n, n, 0.6d0, a, n, c, n)
    do i = 1, n
      y(i) = sum(b(i,:)*c(:,i))
    end do
  end subroutine blocks
end module m
