! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Tasks of the iterations of a loop, and tasks that depend on each other.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: a, b
    !$omp parallel
    !$omp single
    do i = 1, n
      !$omp task firstprivate(i)
      y(i) = x(i)**2
      !$omp end task
    end do
    !$omp taskwait
    !$omp task depend(out: a)
    a = x(1)*y(2)
    !$omp end task
    !$omp task depend(in: a) depend(out: b)
    b = a*a
    !$omp end task
    !$omp taskgroup
    !$omp task depend(in: b)
    y(1) = y(1) + b
    !$omp end task
    !$omp end taskgroup
    !$omp taskwait
    !$omp taskloop
    do i = 2, n
      y(i) = y(i)*x(i)
    end do
    !$omp end single
    !$omp end parallel
  end subroutine f
end module m
