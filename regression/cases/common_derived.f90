! head: m::f(y)/(x)
! refused: C0404 at 14
! The layout of a common block with an object of derived type is the compiler's affair.
module m
  implicit none
  type pair
    sequence
    real(8) :: a, b
  end type pair
contains
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(pair) :: p
    common /pairs/ p
    p%a = x
    call twice
    y = p%b
  end subroutine f
  subroutine twice
    type(pair) :: q
    common /pairs/ q
    q%b = 2*q%a
  end subroutine twice
end module m
