! The derivative of a module's object would have the target that the object has by default.
! head: m::f(y)/(x)
! refused: C0404 at 10
module m
  implicit none
  real(8), target, save :: t = 2.0d0
  type part
    real(8), pointer :: p => t
  end type part
  type(part), save :: a
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    t = x(1)
    a%p = a%p*x(2)
    y = t*x(3)
  end subroutine f
end module m
