! head: m::f(y)/(x)
! size: n=6
! threads: 2
! A loop whose iterations are shared out computes what the outputs depend on.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    !$omp parallel do
    do i = 1, n
      y(i) = x(i)**2
    end do
  end subroutine f
end module m
