! head: f(y)/(x, y)
! Limits of an inner loop that both fall while the outer one runs: at one end of that it has no iterations.
module m
  implicit none
contains
  subroutine w(y, x, js, je)
    real(8), intent(inout) :: y(:)
    real(8), intent(in) :: x(:)
    integer, intent(in) :: js, je
    integer :: i, j
    do j = js, je
      do i = 10 - 2*j, 4 - j
        y(i+3) = y(i+3)**2*x(j)
      end do
    end do
  end subroutine
  subroutine f(y, x)
    real(8), intent(inout) :: y(4)
    real(8), intent(in) :: x(6)
    call w(y, x, 1, 6)
    call w(y, x, 5, 6)
  end subroutine
end module
