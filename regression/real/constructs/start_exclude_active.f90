module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    do i = 1, n
      y(i) = x(i)**2
      !$ad start-exclude
      y(i) = y(i) + x(i)
      !$ad end-exclude
    end do
  end subroutine f
end module m
