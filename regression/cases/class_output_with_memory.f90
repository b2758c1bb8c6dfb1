! head: m::f(self,other)/(x)
! head: m::g(self)/(x)
! Outputs of a class come without memory and with default values, and so do their derivatives, whatever a caller has there;
! so do those whose types inherit that from the types that these extend.
module m
  implicit none
  type base
    real(8) :: s = 1
    real(8), allocatable :: h(:)
  end type
  type, extends(base) :: wide
    real(8), allocatable :: q(:)
  end type
  type, extends(wide) :: wider
    integer :: count = 3
  end type
  type, extends(wider) :: widest
    real(8) :: u
  end type
contains
  subroutine f(x, self, other)
    real(8), intent(in) :: x(3)
    class(base), intent(out) :: self
    type(widest), intent(out) :: other
    allocate (self%h(2))
    self%h(1) = x(1)*x(2)
    self%h(2) = x(3)**2
    self%s = self%s*x(2)*self%h(1)
    other%h = x*x(1)
    allocate (other%q(2))
    other%q(1) = x(3)
    other%q(2) = other%h(2)*other%s
    other%u = other%q(2)*x(2)
  end subroutine f
  subroutine g(x, self)
    real(8), intent(in) :: x(3)
    class(wide), intent(out) :: self
    if (.not. allocated(self%h)) self%h = x*x(2)
    if (.not. allocated(self%q)) self%q = [x(1)*self%s, self%h(2)]
    self%s = self%q(2)*self%s
  end subroutine g
end module m
