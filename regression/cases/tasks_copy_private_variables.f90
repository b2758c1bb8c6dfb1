! head: m::f(y)/(x)
! size: n=6
! threads: 4
! A task changes copies of what is private where it is made: in the region, or in a procedure that is called in one.
module m
  implicit none
contains
  subroutine called(x, y, first)
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:)
    real(8), intent(in) :: first
    real(8) :: here, pair(2), both
    here = first
    pair = [first, x(3)]
    both = 0
    !$omp task shared(y, both)
    here = here*x(2)
    pair = pair*here
    both = both + here
    y(1) = y(1)*pair(1)
    !$omp end task
    !$omp taskwait
    y(2) = y(2)*here + pair(1)*pair(2) + both
  end subroutine called

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: t, shared_one, other
    integer :: i
    y = x
    other = x(1)
    !$omp parallel private(t)
    !$omp single
    t = x(1)
    shared_one = x(2)
    !$omp task
    t = t*x(2)
    shared_one = shared_one*t
    y(3) = t
    !$omp task
    t = sin(t)
    y(4) = y(4)*t
    !$omp end task
    !$omp taskwait
    y(6) = y(6)*t
    !$omp end task
    !$omp taskwait
    y(5) = t*shared_one
    call called(x, y, t)
    !$omp end single
    !$omp end parallel
    !$omp parallel default(shared)
    !$omp single
    !$omp taskloop private(t)
    do i = 1, n
      t = x(i)*other
      y(i) = y(i) + t
    end do
    !$omp end single
    !$omp end parallel
  end subroutine f
end module m
