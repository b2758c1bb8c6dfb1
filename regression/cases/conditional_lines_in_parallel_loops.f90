! head: m::f(y, s)/(x)
! size: n=24
! threads: 4
! Conditional lines in loops that directives share out, and such loops on conditional lines.
module m
  implicit none
contains
  subroutine f(n, x, y, s)
    !$ use omp_lib, only: omp_get_num_procs
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), s
    integer :: i, procs
    real(8) :: t
    procs = 1
    !$ procs = omp_get_num_procs()
    s = 0
    y = 0
    !$omp parallel do private(t) reduction(+: s)
    do i = 1, n
      t = x(i)
      !$ t = t*sin(x(i))
      y(i) = t*x(i)
      !$ s = s + t**2
    end do
    !$omp parallel do
    !$ do i = 2, n - 1
    !$   y(i) = y(i)**2 + x(i-1)*x(i+1)
    !$ end do
    !$omp parallel do
    do i = 2, n - 1
      y(i) = y(i)*(x(i+1) - x(i-1))
      if (x(i) > 0.5d0) then
        !$ y(i) = y(i) + x(i)**3
      end if
    end do
    !$omp parallel
    !$omp atomic
    !$ s = s + 0*procs
    !$omp end parallel
    !$ s = s*x(n)
  end subroutine f
end module m
