! Linear solvers of LAPACK: general, positive definite and tridiagonal systems, in one call and by factors that are used again.
! head: m::general(y)/(x)
! head: m::factors(y)/(x)
! head: m::definite(y)/(x)
! head: m::tridiagonal(y)/(x)
! head: m::steps(y)/(x)
! head: m::failed(y)/(x)
! size: n=5
! link: -llapack -lblas
module m
  implicit none
contains
  subroutine fill(n, x, a)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: a(n+1, n)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        a(i,j) = 0.2d0*sin(x(j)*i + 0.3d0*x(i))
      end do
      ! Rows change places.
      a(mod(j+1, n) + 1,j) = 2d0 + x(j)
      a(n+1,j) = 0
    end do
  end subroutine fill

  subroutine general(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n+1, n), b(n, 2)
    integer :: ipiv(n), info
    call fill(n, x, a)
    b(:,1) = x**2
    b(:,2) = 1d0
    call dgesv(n, 2, a, n + 1, ipiv, b, n, info)
    if (info /= 0) stop 1
    ! The factors are used, too.
    y = b(:,1)*b(:,2) + 0.1d0*a(2,:)*a(:n,3)
    call dgesv(0, 1, a, n + 1, ipiv, b, n, info)
  end subroutine general

  subroutine factors(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n+1, n), b(n, 3)
    integer :: ipiv(n), info, k
    call fill(n, x, a)
    call dgetrf(n, n, a, n + 1, ipiv, info)
    b = 1d0
    do k = 1, 3
      b(:,k) = b(:,k)*x(k)
      call dgetrs(merge('N', 'T', k < 3), n, k, a, n + 1, ipiv, b, n, info)
    end do
    y = b(:,1) + sin(b(:,2)) + b(:,3)
    call dgetrs('t', n, 1, a, n + 1, ipiv, y, n, info)
  end subroutine factors

  subroutine definite(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n, n), b(n, 2)
    integer :: info, i, j
    do j = 1, n
      do i = 1, n
        a(i,j) = 0.1d0*cos(x(i)*x(j))
      end do
      a(j,j) = a(j,j) + 1d0 + x(j)**2
    end do
    b(:,1) = x
    b(:,2) = cos(x)
    y = 0d0
    call dposv('U', n, 2, a, n, b, n, info)
    y = y + b(:,1)*b(:,2)
    ! The lower triangle still holds the matrix.
    do j = 1, n
      a(j,j) = 2d0 + x(j)
    end do
    call dpotrf('L', n, a, n, info)
    call dpotrs('L', n, 1, a, n, y, n, info)
    y = y + 0.2d0*a(:,2)*a(3,:)
  end subroutine definite

  subroutine tridiagonal(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: dl(n-1), d(n), du(n-1), b(n, 2)
    integer :: info
    dl = 0.3d0*x(2:)
    du = 0.2d0*x(:n-1)**2
    d = 1d0 + x
    ! Rows change places.
    d(2) = 0.01d0*x(2)
    b(:,1) = x
    b(:,2) = 1d0
    call dgtsv(n, 2, dl, d, du, b, n, info)
    y = b(:,1) + 0.3d0*b(:,2)**2
  end subroutine tridiagonal

  ! What can't be solved is tried again with another matrix.
  subroutine failed(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n, n), b(n)
    integer :: ipiv(n), info, k
    y = 0d0
    do k = 0, 2
      a = 0d0
      b = x**2
      call shifted(n, 0.5d0*k, x, a)
      if (k == 1) a = -a
      call dgesv(n, 1, a, n, ipiv, b, n, info)
      if (info /= 0) b = 2d0*b*x
      y = y + b
      a = 0d0
      call shifted(n, 1d0 - k, x, a)
      call dposv('L', n, 1, a, n, b, n, info)
      if (info > 0) b = 0.1d0*b
      y = y + b*x
    end do
  end subroutine failed

  subroutine shifted(n, by, x, a)
    integer, intent(in) :: n
    real(8), intent(in) :: by, x(n)
    real(8), intent(inout) :: a(n, n)
    integer :: i
    do i = 1, n
      a(i,i) = by*(1d0 + x(i)**2)
      if (i < n) a(i+1,i) = 0.1d0*by*x(i)
    end do
  end subroutine shifted

  ! Implicit steps: the matrix follows the state.
  subroutine steps(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n+1, n)
    integer :: ipiv(n), info, k
    y = x
    do k = 1, 4
      call fill(n, y, a)
      call dgesv(n, 1, a, n + 1, ipiv, y, n, info)
      if (info > 0) exit
      y = 0.5d0*y + x
    end do
  end subroutine steps
end module m
