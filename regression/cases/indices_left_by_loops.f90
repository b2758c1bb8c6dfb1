! head: m::last(y, z)/(x)
! head: m::lanes(y, z)/(x)
! size: n=6
! threads: 4
! The variables of loops whose values are used behind them: that of the last iteration, and a linear one.
module m
  implicit none
contains
  subroutine last(n, x, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), z
    integer :: i, k
    i = 2
    k = 3
    !$omp parallel
    !$omp do lastprivate(i)
    do i = 1, n
      y(i) = x(i)**2
    end do
    !$omp end do
    !$omp do
    do k = 1, n
      y(k) = y(k)*x(k)
    end do
    !$omp end do
    !$omp end parallel
    z = y(i-1)*x(k)
  end subroutine
  subroutine lanes(n, x, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), z
    integer :: i
    !$omp simd
    do i = 1, n
      y(i) = sin(x(i))
    end do
    z = y(i-1)*x(i-2)
  end subroutine
end module
