! Procedures of BLAS with complex arguments: transposes with and without conjugates, Hermitian matrices, real coefficients.
! head: m::vectors(y)/(x)
! head: m::matrices(y)/(x)
! head: m::blocks(y)/(x)
! head: m::hermitian(y)/(x)
! head: m::parts(f)/(x)
! size: n=4
! link: -lblas
module m
  implicit none
  complex(8), external :: zdotu, zdotc
  real(8), external :: dznrm2, dzasum
contains
  subroutine vectors(n, x, y)
    integer, intent(in) :: n
    complex(8), intent(in) :: x(n)
    complex(8), intent(out) :: y(n)
    complex(8) :: v(2*n), w(n)
    v = (0.1d0, 0.2d0)
    w = x**2
    call zcopy(n, x, 1, v, 2)
    call zaxpy(n, x(1), w, -1, v(2), 2)
    call zscal(n, (1d0, 0.5d0) + x(2), v, 1)
    call zdscal(n, 1d0 + abs(x(3)), w, 1)
    call zswap(n, v(1), 1, w, 1)
    y = w + v(1:2*n:2)*v(2:2*n:2)
    y(1) = y(1) + zdotu(n, w, 1, v(n+1), -1)*dznrm2(2*n, v, 1)
    y(2) = y(2) + dzasum(n, w, 1) + zdotc(n, x, 1, w, 1)*zdotc(n, x, 1, x, 1)
  end subroutine vectors

  subroutine fill(n, x, a)
    integer, intent(in) :: n
    complex(8), intent(in) :: x(n)
    complex(8), intent(out) :: a(n+1, n)
    integer :: i, j
    do j = 1, n
      do i = 1, n + 1
        a(i,j) = 0.2d0*x(j)*exp((0d0, 1d0)*i) + 0.1d0*conjg(x(mod(i, n) + 1))
      end do
      a(j,j) = a(j,j) + 2d0
    end do
  end subroutine fill

  subroutine matrices(n, x, y)
    integer, intent(in) :: n
    complex(8), intent(in) :: x(n)
    complex(8), intent(out) :: y(n)
    complex(8) :: a(n+1, n), b(n, n)
    call fill(n, x, a)
    b = a(2:,:)
    y = x
    call zgemv('N', n, n, (0.7d0, 0.1d0), a, n + 1, x, 1, (0d0, 0.3d0), y, 1)
    call zgemv('T', n, n - 1, x(1), a(2,1), n + 1, y, 1, x(2), b(1,2), 1)
    call zgemv('C', n, n, x(2), a, n + 1, y, -1, (0.3d0, 0d0), b, n)
    call zgeru(n - 1, n, 0.5d0*x(2), x, 1, y, -1, b, n)
    call zgerc(n, n, x(3), y, 1, x, 1, b, n)
    call ztrmv('U', 'T', 'N', n, b, n, y, 1)
    call ztrmv('L', 'C', 'U', n, b, n, y, 1)
    call ztrsv('L', 'T', 'N', n, a, n + 1, y, 1)
    call ztrsv('U', 'C', 'N', n, a, n + 1, y, 1)
    y = y + matmul(b, x)
  end subroutine matrices

  subroutine blocks(n, x, y)
    integer, intent(in) :: n
    complex(8), intent(in) :: x(n)
    complex(8), intent(out) :: y(n)
    complex(8) :: a(n+1, n), b(n, n), c(n, n)
    integer :: i
    call fill(n, x, a)
    b = a(:n,:)
    c = 0.2d0*a(2:,:)
    call zgemm('N', 'C', n, n, n, x(1), a, n + 1, b, n, (0.5d0, 0.2d0), c, n)
    call zgemm('T', 'T', n - 1, n, n, (0.1d0, 0d0), c, n, a, n + 1, x(2), b, n)
    call zgemm('C', 'T', n, n, n - 1, (0.2d0, 0.1d0), c, n, a, n + 1, x(3), b, n)
    call zsymm('L', 'U', n, n, (0.3d0, 0d0), a, n + 1, b, n, x(1), c, n)
    call zsyrk('U', 'T', n, n - 1, x(1), b, n, (0.4d0, 0d0), c, n)
    call zsyr2k('L', 'N', n, n, (0d0, 0.2d0), a, n + 1, b, n, x(2), c, n)
    call ztrmm('L', 'U', 'T', 'N', n, n, x(1), a, n + 1, b, n)
    call ztrmm('R', 'L', 'C', 'U', n - 1, n, (0.7d0, 0d0), a, n + 1, c, n)
    call ztrsm('L', 'L', 'C', 'N', n, n, x(2), a, n + 1, b, n)
    call ztrsm('R', 'U', 'T', 'N', n, n, (0.6d0, 0d0), a, n + 1, c, n)
    do i = 1, n
      y(i) = sum(b(i,:)*c(:,i))
    end do
  end subroutine blocks

  subroutine hermitian(n, x, y)
    integer, intent(in) :: n
    complex(8), intent(in) :: x(n)
    complex(8), intent(out) :: y(n)
    complex(8) :: a(n+1, n), b(n, n), c(n, n), h(n, n)
    integer :: i
    call fill(n, x, a)
    b = a(:n,:)
    c = 0.2d0*a(2:,:)
    h = 0d0
    call zherk('U', 'N', n, n - 1, abs(x(1)), b, n, 0d0, h, n)
    call zherk('U', 'C', n, n, 0.2d0, a, n + 1, real(x(2), 8), h, n)
    call zher2k('U', 'N', n, n, x(3), a, n + 1, b, n, 0.5d0, h, n)
    call zher2k('U', 'C', n, n, (0.1d0, 0.3d0), c, n, b, n, 1d0, h, n)
    call zher('U', n, 0.3d0*abs(x(2)), x, 1, h, n)
    call zher2('U', n, x(2), x, -1, b, 1, h, n)
    call zhemm('L', 'U', n, n, (0.3d0, 0.1d0), h, n, b, n, x(1), c, n)
    y = x
    call zhemv('U', n, x(1), h, n, c, 1, (0.1d0, 0d0), y, 1)
    do i = 1, n
      y(i) = y(i) + sum(c(i,:)) + sum(h(:i,i))
    end do
  end subroutine hermitian

  ! Complex work arrays between real inputs and a real output.
  subroutine parts(n, x, f)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: f
    complex(8) :: z(n), a(n, n)
    integer :: i
    z = cmplx(x, x**2, 8)
    do i = 1, n
      a(:,i) = z*x(i)
    end do
    call zgemv('C', n, n - 1, (1d0, 0d0), a, n, z, 1, cmplx(x(1), 0.5d0, 8), a(1,n), 1)
    f = real(zdotc(n, z, 1, a, 1), 8) + aimag(zdotu(n, z, 1, a(1,2), 1))
  end subroutine parts
end module m
