! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Clauses that list every variable.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k
    real(8), parameter :: c = 0.5d0
    real(8) :: t
    !$omp parallel do default(none) shared(n, x, y) private(i, k, t)
    do i = 2, n - 1
      t = 0
      do k = -1, 1
        t = t + c*x(i + k)**2
      end do
      y(i) = t*x(i)
    end do
    !$omp end parallel do
    y(1) = x(1)
    y(n) = x(n)*x(1)
  end subroutine f
end module m
