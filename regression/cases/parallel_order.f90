! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Iterations in order, and a recurrence that only ordered statements carry.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: t
    y(1) = x(1)
    !$omp parallel do ordered private(t)
    do i = 2, n
      t = sin(x(i))
      !$omp ordered
      y(i) = y(i - 1)*0.5d0 + t
      !$omp end ordered
    end do
    !$omp parallel do ordered(1)
    do i = 2, n
      !$omp ordered depend(sink: i - 1)
      y(i) = y(i)*y(i - 1)
      !$omp ordered depend(source)
    end do
  end subroutine f
end module m
