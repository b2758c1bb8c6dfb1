! Linear solvers of LAPACK with complex matrices: general, Hermitian, tridiagonal and triangular ones.
! head: m::general(y)/(x)
! head: m::factors(y)/(x)
! head: m::definite(y)/(x)
! head: m::tridiagonal(y)/(x)
! size: n=4
! link: -llapack -lblas
module m
  implicit none
contains
  subroutine fill(n, x, a)
    integer, intent(in) :: n
    complex(8), intent(in) :: x(n)
    complex(8), intent(out) :: a(n+1, n)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        a(i,j) = 0.2d0*sin(x(j)*i + 0.3d0*conjg(x(i)))
      end do
      ! Rows change places.
      a(mod(j+1, n) + 1,j) = 2d0 + x(j)
      a(n+1,j) = 0
    end do
  end subroutine fill

  subroutine general(n, x, y)
    integer, intent(in) :: n
    complex(8), intent(in) :: x(n)
    complex(8), intent(out) :: y(n)
    complex(8) :: a(n+1, n), b(n, 2)
    integer :: ipiv(n), info
    call fill(n, x, a)
    b(:,1) = x**2
    b(:,2) = (1d0, 0.5d0)
    call zgesv(n, 2, a, n + 1, ipiv, b, n, info)
    if (info /= 0) stop 1
    y = b(:,1)*b(:,2) + 0.1d0*a(2,:)*conjg(a(:n,3))
  end subroutine general

  subroutine factors(n, x, y)
    integer, intent(in) :: n
    complex(8), intent(in) :: x(n)
    complex(8), intent(out) :: y(n)
    complex(8) :: a(n+1, n), b(n, 2)
    integer :: ipiv(n), info, k
    character :: op(3) = ['N', 'T', 'C']
    call fill(n, x, a)
    call zgetrf(n, n, a, n + 1, ipiv, info)
    b = (0d0, 1d0)
    do k = 1, 3
      b(:,1) = b(:,1)*x(k)
      call zgetrs(op(k), n, 2, a, n + 1, ipiv, b, n, info)
      call ztrtrs('U', op(k), 'N', n, 1, a, n + 1, b, n, info)
    end do
    y = b(:,1) + sin(b(:,2))
  end subroutine factors

  subroutine definite(n, x, y)
    integer, intent(in) :: n
    complex(8), intent(in) :: x(n)
    complex(8), intent(out) :: y(n)
    complex(8) :: a(n, n), b(n, 2)
    integer :: info, j
    do j = 1, n
      a(:,j) = 0.1d0*x*conjg(x(j))
      a(j,j) = 1d0 + abs(x(j))**2
    end do
    b(:,1) = x
    b(:,2) = cos(x)
    call zposv('U', n, 2, a, n, b, n, info)
    y = b(:,1)*b(:,2)
    do j = 1, n
      a(j,j) = 2d0 + abs(x(j))
    end do
    call zpotrf('L', n, a, n, info)
    call zpotrs('L', n, 1, a, n, y, n, info)
    y = y + 0.2d0*a(:,2)*a(3,:)
  end subroutine definite

  subroutine tridiagonal(n, x, y)
    integer, intent(in) :: n
    complex(8), intent(in) :: x(n)
    complex(8), intent(out) :: y(n)
    complex(8) :: dl(n-1), d(n), du(n-1)
    integer :: info
    dl = 0.3d0*x(2:)
    du = 0.2d0*conjg(x(:n-1))
    d = 1d0 + x
    d(2) = 0.01d0*x(2)
    y = x**2
    call zgtsv(n, 1, dl, d, du, y, n, info)
  end subroutine tridiagonal
end module m
