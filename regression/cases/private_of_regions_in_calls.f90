! head: m::step(y)/(y)
! size: n=16
! threads: 4
! A scalar that is private in a region, and that a called procedure sets.
module m
  implicit none
contains
  subroutine column(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = x*x
  end subroutine
  real(8) function damped(x)
    real(8), intent(in) :: x
    damped = x*exp(-x)
  end function
  subroutine step(n, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: y(n)
    integer :: i
    real(8) :: z
    !$omp parallel private(z)
    !$omp do
    do i = 1, n
      call column(y(i), z)
      y(i) = damped(y(i)) + 0.1d0*z
    end do
    !$omp end do
    !$omp do
    do i = 1, n
      y(i) = y(i)*2
    end do
    !$omp end parallel
  end subroutine
end module
