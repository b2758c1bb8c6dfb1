! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Offsets in one and two dimensions inside a time loop.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: u(n, n), v(n, n)
    integer :: i, j, it
    do j = 1, n
      u(:, j) = x*x(j)
    end do
    v = u
    do it = 1, 3
      !$omp parallel do private(i)
      do j = 2, n - 1
        do i = 2, n - 1
          v(i, j) = u(i, j) + 0.1d0*u(i, j)*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4*u(i, j))
        end do
      end do
      !$omp parallel do collapse(2) schedule(static)
      do j = 2, n - 1
        do i = 2, n - 1
          u(i, j) = v(i, j)
        end do
      end do
    end do
    !$omp parallel do
    do j = 1, n
      y(j) = sum(u(:, j))
    end do
  end subroutine f
end module m
