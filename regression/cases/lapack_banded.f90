! LAPACK's solvers with banded, tridiagonal and triangular matrices, in one call and by factors that are used again.
! head: m::band(y)/(x)
! head: m::band_factors(y)/(x)
! head: m::tridiagonal(y)/(x)
! head: m::definite(y)/(x)
! head: m::triangular(y)/(x)
! size: n=7
! link: -llapack -lblas
module m
  implicit none
  integer, parameter :: kl = 2, ku = 1, ld = 2*kl + ku + 1
contains
  subroutine fill(n, x, ab)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: ab(ld, n)
    integer :: i, j
    do j = 1, n
      do i = max(1, j - ku), min(n, j + kl)
        ab(kl+ku+1+i-j,j) = 0.3d0*sin(x(j)*i) + 0.1d0*x(i)
      end do
      ! Rows change places by twos.
      i = merge(j, j + 2*mod(j, 2) - 1, j == n)
      ab(kl+ku+1+i-j,j) = ab(kl+ku+1+i-j,j) + 2d0
    end do
  end subroutine fill

  subroutine band(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: ab(ld, n), b(n, 2)
    integer :: ipiv(n), info
    ab = 0d0
    call fill(n, x, ab)
    b(:,1) = x**2
    b(:,2) = 1d0
    call dgbsv(n, kl, ku, 2, ab, ld, ipiv, b, n, info)
    if (info /= 0) stop 1
    ! The factors are used, too.
    y = b(:,1)*b(:,2) + 0.1d0*ab(kl+ku+1,:)*ab(kl+ku+2,3)
    call dgbsv(0, 0, 0, 1, ab, ld, ipiv, b, n, info)
  end subroutine band

  subroutine band_factors(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: ab(ld, n), b(n, 2)
    integer :: ipiv(n), info, k
    ab = 0d0
    call fill(n, x, ab)
    call dgbtrf(n, n, kl, ku, ab, ld, ipiv, info)
    b(:,1) = x
    b(:,2) = 1d0
    do k = 1, 2
      b = b*x(k)
      call dgbtrs(merge('N', 'T', k == 1), n, kl, ku, 2, ab, ld, ipiv, b, n, info)
    end do
    y = sin(b(:,1)) + b(:,2)
  end subroutine band_factors

  subroutine tridiagonal(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: dl(n-1), d(n), du(n-1), du2(n-2)
    integer :: ipiv(n), info, k
    dl = 0.3d0*x(2:)
    du = 0.2d0*x(:n-1)**2
    d = 1d0 + x
    d(2) = 0.01d0*x(2)
    call dgttrf(n, dl, d, du, du2, ipiv, info)
    y = cos(x)
    do k = 1, 3
      call dgttrs(merge('T', 'N', k == 2), n, 1, dl, d, du, du2, ipiv, y, n, info)
      y = y*x
    end do
    y(n) = y(n) + d(3)*du(1) + sum(du2) + dl(1)
  end subroutine tridiagonal

  subroutine definite(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: d(n), e(n-1), b(n, 2)
    integer :: info
    d = 2d0 + x
    e = 0.4d0*x(2:)
    b(:,1) = x
    b(:,2) = 1d0
    call dptsv(n, 2, d, e, b, n, info)
    y = b(:,1)*b(:,2)
    y(2) = y(2) + sum(e)*d(n)
    e = x(:n-1)**2*0.2d0
    d = 3d0
    call dpttrf(n, d, e, info)
    call dpttrs(n, 1, d, e, y, n, info)
    ! An indefinite matrix: nothing is solved.
    d = -x
    call dptsv(n, 1, d, e, y, n, info)
    if (info > 0) y = y*x
  end subroutine definite

  subroutine triangular(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n, n)
    integer :: info, i, j
    do j = 1, n
      do i = 1, n
        a(i,j) = 0.2d0*sin(x(i) + j)
      end do
      a(j,j) = 1d0 + x(j)
    end do
    y = x
    call dtrtrs('U', 'N', 'N', n, 1, a, n, y, n, info)
    call dtrtrs('L', 'T', 'N', n, 1, a, n, y, n, info)
    call dtrtrs('L', 'N', 'U', n, 1, a, n, y, n, info)
    a(3,3) = 0d0
    call dtrtrs('L', 'N', 'N', n, 1, a, n, y, n, info)
    if (info == 3) y = y*x
  end subroutine triangular
end module m
