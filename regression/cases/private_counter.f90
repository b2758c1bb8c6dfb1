! Private variables and saved locals that change from run to run.
module m
  implicit none
  private
  public :: f
  integer :: calls = 0
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), save :: last = 1.0d0
    calls = calls + 1
    last = 0.5d0*last + 0.25d0
    if (calls > 3) then
      y = x**3
    else
      y = last*x**2
    end if
  end subroutine f
end module m
