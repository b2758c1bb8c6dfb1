! head: m::f(self)/(x)
! refused: C0404 at 13
! Where the head is given an object of the wider type, it resets a component whose derivative isn't seen.
module m
  implicit none
  type base
    real(8), allocatable :: h(:)
  end type
  type, extends(base) :: wide
    real(8) :: w = 2
  end type
contains
  subroutine f(x, self)
    real(8), intent(in) :: x(2)
    class(base), intent(out) :: self
    self%h = x*x(1)
  end subroutine f
end module m
