! The head procedure itself is private, and says so.
module m
  implicit none
  private
  public :: entry_point
  private :: f
  real(8), private :: factor = 0.7d0

contains

  subroutine entry_point(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y(:)
    call f(size(x), x, y)
  end subroutine entry_point

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y = factor*sin(x)
  end subroutine f

end module m
