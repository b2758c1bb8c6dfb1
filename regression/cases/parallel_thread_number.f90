! head: m::f(y)/(x)
! size: n=24
! refused: C0409 at 15
! What the number of a thread decides.
module m
  implicit none
contains
  subroutine f(n, x, y)
    use omp_lib, only: omp_get_thread_num
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: me
    y = x
    !$omp parallel private(me)
    me = omp_get_thread_num()
    if (me < n) y(me + 1) = x(me + 1)**2
    !$omp end parallel
  end subroutine f
end module m
