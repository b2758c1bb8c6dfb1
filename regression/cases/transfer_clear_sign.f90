! head: m::f(y)/(x)
! the sign bit is cleared in an integer
! refused: C0402 at 13
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    integer(8) :: xb
    xb = transfer(x, 1_8)
    xb = ibclr(xb, 63)
    y = 3*transfer(xb, 1.0d0)
  end subroutine
end module
