! Branches that begin and end on conditional lines around statements that always stand there.
! head: m::f(y)/(x)
! size: n=5
! value: loud=.false.
! threads: 2
module m
  implicit none
contains
  subroutine f(n, x, y, loud)
    !$ use omp_lib
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    logical, intent(in) :: loud
    integer :: i
    real(8) :: s
    !$omp parallel do
    do i = 1, n
      y(i) = sin(x(i))*i
    end do
    if (loud) then
      !$ if (omp_get_thread_num() == 0) then
      write (*,*) 'sum', sum(y)
      !$ end if
    end if
    s = 1d0
    !$ if (omp_get_max_threads() >= 1) then
    s = s + sum(x)
    y = y*s
    !$ end if
    !$ if (omp_get_max_threads() < 1) then
    !$ y = 0
    !$ s = 7
    !$ end if
    y = y + s
  end subroutine
end module
