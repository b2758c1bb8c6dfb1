! Two modules with private procedures and private state: only `--layout extend` reaches them.
module relief
  implicit none
  private
  public :: fill, smooth, height

  real(8) :: height(8)
  real(8) :: weight_of_the_neighbours = 0.3d0
  real(8) :: height_d = 1.5d0
contains
  subroutine fill(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    height(1:n) = spread_out(x(1))*x*height_d
  end subroutine fill

  subroutine smooth(y)
    real(8), intent(inout) :: y(:)
    integer :: i
    do i = 2, size(y)
      y(i) = y(i) + weight_of_the_neighbours*y(i - 1)**2
    end do
  end subroutine smooth

  pure function spread_out(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    r = log_gamma(2.0d0 + x**2)
  end function spread_out
end module relief

module m
  use relief, only: fill, smooth, height
  implicit none
  private
  integer :: calls = 0

contains

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    calls = calls + 1
    call fill(n, x)
    y = sin(height(1:n))
    call smooth(y)
  end subroutine f

end module m
