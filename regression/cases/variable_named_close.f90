! head: m::f(y)/(x)
! A function's result is named like a statement.
module m
contains
  elemental logical function is_close(a, b) result(close)
    real(8), intent(in) :: a, b
    if (a > b) then
      close = a - b < 1d-3
    else
      close = b - a < 1d-3
    end if
  end function
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    if (is_close(x(1), x(2))) then
      y = x(1)
    else
      y = x(2)*x(3)
    end if
  end subroutine
end module
