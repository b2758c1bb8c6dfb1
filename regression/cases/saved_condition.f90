! A time step whose condition on an updated state is evaluated again in the backward sweep, where the state is saved at the
! start of the step.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: h(n)
    integer :: i, t
    do t = 1, 20
      do i = 1, n
        h(i) = sin(0.5d0*y(i) + x(i))
      end do
      do i = 1, n
        y(i) = 0.3d0*y(i) + h(i)*h(i)
      end do
      do i = 1, n
        if (y(i) > 0.4d0) then
          y(i) = x(i)*h(i)
        end if
      end do
    end do
  end subroutine f
end module m
