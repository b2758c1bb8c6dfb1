! head: m::f(y)/(x)
! refused: C0409 at 14
! What every thread adds is as much as there are threads.
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: s, part
    integer :: i
    s = 0
    part = 0
    !$omp parallel firstprivate(part)
    !$omp do
    do i = 1, 3
      part = part + x(i)**2
    end do
    !$omp critical
    s = s + part
    !$omp end critical
    !$omp atomic
    s = s + x(1)
    !$omp end parallel
    y = s
  end subroutine f
end module m
