module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(*)
    real(8), intent(out) :: y(*)
    integer :: i
    do i = 1, n
      y(i) = x(i)*x(mod(i, n)+1)
    end do
    do i = 2, n
      y(i) = y(i) + sin(y(i-1))
    end do
  end subroutine f
end module m
