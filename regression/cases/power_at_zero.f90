! head: m::par(y)/(x)
! head: m::expr(y)/(x)
! head: m::var(y)/(x)
! powers whose slope is infinite at zero, by the form of the exponent; away from zero they are right
module m
  implicit none
  real(8), parameter :: third = 1d0/3d0
contains
  subroutine lit(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = min(x**0.3333d0, x)
  end subroutine lit
  subroutine expr(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = min(x**(1./3.), x)
  end subroutine expr
  subroutine par(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = min(x, x**third)
  end subroutine par
  subroutine var(a, x, y)
    real(8), intent(in) :: a, x
    real(8), intent(out) :: y
    y = min(x, x**a)
  end subroutine var
end module m
