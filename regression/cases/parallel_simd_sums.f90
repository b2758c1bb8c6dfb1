! Loops of vector operations that add to one element, in a loop that threads share out: each thread has sums of its own. Teams.
! head: m::f(y)/(x)
! head: m::g(y)/(x)
! size: n=40
! threads: 4
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, j
    !$omp parallel do private(i)
    do j = 1, n
      y(j) = 0.1d0*y(j)
      !$omp simd
      do i = 1, n
        y(j) = y(j) + x(i)*x(j)/n
      end do
      y(j) = sqrt(1d0 + y(j)**2)
    end do
  end subroutine
  ! A league of teams on the host: what only teams have goes with them.
  subroutine g(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i
    !$omp teams num_teams(2) thread_limit(4)
    !$omp distribute parallel do dist_schedule(static)
    do i = 1, n
      y(i) = y(i)*sin(x(i))
    end do
    !$omp end teams
  end subroutine
end module
