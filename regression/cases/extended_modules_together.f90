! head: m::f(y)/(x)
! layout: extend
! Two extended modules with private entities of the same names are used in one scope.
module a
  implicit none
  private
  type, public :: first
    real(8) :: c = 1
  contains
    procedure :: run
  end type
  real(8) :: state = 0
contains
  subroutine run(self, u)
    class(first), intent(inout) :: self
    real(8), intent(inout) :: u
    state = u**2
    u = u*self%c + state
  end subroutine
end module
module b
  implicit none
  private
  type, public :: second
    real(8) :: c = 2
  contains
    procedure :: run
  end type
  real(8) :: state = 0
contains
  subroutine run(self, u)
    class(second), intent(inout) :: self
    real(8), intent(inout) :: u
    state = sin(u)
    u = u*self%c*state
  end subroutine
end module
module m
  use a
  use b
  implicit none
contains
  subroutine once(o, u)
    type(first), intent(inout) :: o
    real(8), intent(inout) :: u
    call o%run(u)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    type(first) :: o
    type(second) :: q
    o%c = x(1)
    q%c = x(2)
    y = x(1)
    call once(o, y)
    call q%run(y)
    y = y**2
    call once(o, y)
  end subroutine
end module
