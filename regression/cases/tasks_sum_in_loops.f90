! head: m::of_group(y)/(x)
! head: m::of_region(y)/(x)
! head: m::chunks(y)/(x)
! head: m::with_copies(y)/(x)
! size: n=9
! threads: 4
! Loops whose iterations are tasks that add to a sum.
module m
  implicit none
contains
  subroutine of_group(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: i
    y = 0.5d0*x(1)
    !$omp parallel
    !$omp single
    !$omp taskgroup task_reduction(+:y)
    do i = 1, n
      !$omp task in_reduction(+:y)
      y = y + x(i)**2
      !$omp end task
    end do
    !$omp end taskgroup
    !$omp end single
    !$omp end parallel
    y = y*sin(y)
  end subroutine of_group

  subroutine of_region(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: i
    y = 0
    !$omp parallel reduction(task,+:y)
    !$omp single
    do i = 1, n
      !$omp task in_reduction(+:y)
      y = y + x(i)**2
      !$omp end task
    end do
    !$omp end single
    !$omp end parallel
  end subroutine of_region

  subroutine chunks(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: i, k
    y = 0
    !$omp parallel
    !$omp single
    !$omp taskgroup task_reduction(+:y)
    do i = 1, n, 3
      !$omp task in_reduction(+:y) private(k)
      do k = i, min(i + 2, n)
        y = y + x(k)**3
      end do
      !$omp end task
    end do
    !$omp end taskgroup
    !$omp end single
    !$omp end parallel
  end subroutine chunks

  subroutine with_copies(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: s, t
    s = x(1)*x(2)
    !$omp parallel shared(x, y, s)
    !$omp single
    do i = 1, n
      !$omp task firstprivate(i, s) private(t)
      t = s*x(i)
      s = s + t
      y(i) = s*t
      !$omp end task
    end do
    !$omp end single
    !$omp end parallel
    y(1) = y(1) + s
  end subroutine with_copies
end module m
