! head: m::f(y)/(x)
! size: n=9
! refused: C0409 at 17
! A declared reduction that no built-in one does: it begins with one.
module m
  implicit none
!$omp declare reduction(mine: real(8): omp_out = omp_out + omp_in) initializer(omp_priv = 1)
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: i
    y = 0
    i = n
    ! Every thread adds one.
!$omp parallel do reduction(mine: y)
    do i = 1, n
      y = y + x(i)**2
    end do
  end subroutine f
end module m
