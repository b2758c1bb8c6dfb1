! head: m::f(y)/(x)
! size: n=24
! threads: 4
! A reduction with an operator of the program that adds as the built-in one does.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    real(8) :: s
    !$omp declare reduction(further: real(8): omp_out = omp_out + omp_in) initializer(omp_priv = 0)
    s = 0
    !$omp parallel do reduction(further: s)
    do i = 1, n
      s = s + x(i)**2
    end do
    y = s*x
  end subroutine f
end module m
