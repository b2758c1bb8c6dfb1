! head: m::f(y)/(x)
! refused: C0409 at 12
! The value of the last iteration that assigns it.
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    real(8) :: t
    integer :: i
    !$omp parallel do lastprivate(conditional: t)
    do i = 1, 3
      if (x(i) > 0.5d0) t = x(i)**2
      y(i) = x(i)
    end do
    y(1) = t
  end subroutine f
end module m
