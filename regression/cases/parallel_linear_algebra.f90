! head: m::f(y)/(x)
! size: n=7 m=4
! threads: 4
! link: -llapack -lblas
! Procedures of LAPACK and BLAS in loops to share out: a system in each iteration, with matrices of its own, and products
! of sections, in called procedures too.
module m
  implicit none
  external :: dgesv, dgtsv, dgemv, dgemm, daxpy
  real(8), external :: ddot
contains
  subroutine norm(m, v, s)
    integer, intent(in) :: m
    real(8), intent(in) :: v(m)
    real(8), intent(out) :: s
    s = ddot(m, v, 1, v, 1)
  end subroutine
  subroutine f(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(m, n)
    real(8), intent(out) :: y(m, n)
    real(8) :: a(m, m), r(m), dl(m - 1), d(m), du(m - 1), s, z(m, n), b(m, m), p(m, m, n), q(m, m, n)
    integer :: i, j, k, ipiv(m), info
    !$omp parallel do private(a, r, ipiv, info, j, k)
    do i = 1, n
      do j = 1, m
        do k = 1, m
          a(k, j) = x(j, i)**k/(k + j)
        end do
        a(j, j) = a(j, j) + 3
        r(j) = x(j, i)
      end do
      call dgesv(m, 1, a, m, ipiv, r, m, info)
      if (info /= 0) r = 0
      y(:, i) = r**2
    end do
    !$omp parallel do private(dl, d, du, k, info)
    do i = 1, n
      do k = 1, m - 1
        dl(k) = 0.1d0*x(k, i)
        du(k) = 0.2d0*x(k, i)
      end do
      do k = 1, m
        d(k) = 2 + x(k, i)**2
        z(k, i) = y(k, i)*x(k, i)
      end do
      call dgtsv(m, 1, dl, d, du, z(:, i), m, info)
    end do
    b = 0.25d0
    !$omp parallel do private(s)
    do i = 1, n
      call dgemv('N', m, m, 1d0, b, m, z(1, i), 1, 1d0, y(1, i), 1)
      call norm(m, z(:, i), s)
      call daxpy(m, s, x(:, i), 1, y(:, i), 1)
      y(1, i) = y(1, i) + ddot(m - 1, x(1, i), 1, z(2, i), 1)*s
      p(:, :, i) = spread(z(:, i), 1, m)*x(1, i)
    end do
    !$omp parallel do
    do i = 1, n
      call dgemm('N', 'T', m, m, m, 1d0, p(1, 1, i), m, b, m, 0d0, q(1, 1, i), m)
      y(:, i) = y(:, i) + q(:, 2, i)
    end do
  end subroutine
end module
