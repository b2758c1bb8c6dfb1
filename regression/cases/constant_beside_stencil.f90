module m
  implicit none
contains
  ! A scalar argument becomes a constant in a loop whose increments are distributed: it has lost its derivative after it.
  subroutine f(n,x,y,c)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n), c
    integer :: i
    do i = 1, n-1
      y(i) = y(i) + 2d0*(x(i+1) + x(i))
      c = 0.1d0
    end do
  end subroutine f
end module m
