! head: m::f(y)/(x)
! refused: C0406 at 11
! A procedure pointer that its own declaration makes private.
module m
  implicit none
  abstract interface
    real(8) function of_one(x)
      real(8), intent(in) :: x
    end function
  end interface
  procedure(of_one), pointer, private :: chosen => null()
contains
  real(8) function square(x)
    real(8), intent(in) :: x
    square = x**2
  end function
  real(8) function sine(x)
    real(8), intent(in) :: x
    sine = sin(x)
  end function
  subroutine choose(k)
    integer, intent(in) :: k
    chosen => square
    if (k == 2) chosen => sine
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    call choose(2)
    y = chosen(x)
    call choose(1)
    y = y*chosen(y)
  end subroutine
end module
