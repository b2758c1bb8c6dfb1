! head: m::f(a)/(x)
! threads: 4
! Sums that stand behind what they add.
module m
contains
  subroutine f(x, a)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: a
    integer :: i
    a = 0
    !$omp parallel do reduction(+:a)
    do i = 1, size(x)
      a = x(i) + a
      a = (a + x(i)) + x(i)**2
      a = -x(i)**3 + a
      a = x(i) + (a - 2*x(i))
    end do
  end subroutine
end module
