! head: m::f(y)/(x)
! refused: C0404 at 10
! A function whose value is a text changes what has a derivative.
module m
  implicit none
  integer :: n = 4
  real(8) :: state = 0
contains
  ! The text is longer where it is assigned.
  character(len=n) function name(a, b)
    real(8), intent(in) :: a
    real(8), intent(inout) :: b
    b = b*a
    name = 'neg'
    if (a > 0) name = 'pos'
  end function
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    character(len=8) :: t
    y = x(2)
    t = name(x(1), y)
    if (t == 'pos') y = y*x(3)
  end subroutine
end module
