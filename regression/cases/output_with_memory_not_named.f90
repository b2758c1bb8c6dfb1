! head: m::f(y)/(x)
! refused: C0302 at 11
! The adjoint of an output that the head doesn't name is a local variable, whose component's shape isn't known.
module m
  implicit none
  type base
    real(8) :: w = 3
    real(8), allocatable :: h(:)
  end type
contains
  subroutine f(x, y, self)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(1)
    type(base), intent(out) :: self
    self%h = x*x(1)
    self%w = x(1)*x(2)*x(3)*self%w
    y(1) = self%w*sum(self%h)
  end subroutine f
end module m
