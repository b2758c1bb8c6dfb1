! head: m::f(y)/(x)
! Private procedures of another module that are reached through bindings of its public types.
module lib
  implicit none
  private
  type, public :: ode
    real(8) :: c = 1
  contains
    procedure :: run
    procedure :: val => value_of
    procedure, private :: hid
    procedure, pass(me) :: mix
  end type
  type, extends(ode), public :: ode2
  contains
    procedure :: val => value2
  end type
contains
  subroutine run(self, u)
    class(ode), intent(in) :: self
    real(8), intent(inout) :: u
    u = u*self%c
    call self%hid(u)
  end subroutine
  subroutine hid(self, u)
    class(ode), intent(in) :: self
    real(8), intent(inout) :: u
    u = u*u + self%c
    u = sqrt(u*u + 1)
  end subroutine
  subroutine mix(u, me, v)
    real(8), intent(inout) :: u
    class(ode), intent(inout) :: me
    real(8), intent(inout) :: v
    u = v*me%c
    me%c = me%c*u
    v = u*u
  end subroutine
  real(8) function value_of(self, a)
    class(ode), intent(in) :: self
    real(8), intent(in) :: a
    value_of = self%c*a
  end function
  real(8) function value2(self, a)
    class(ode2), intent(in) :: self
    real(8), intent(in) :: a
    value2 = self%c*a**2
  end function
end module
module m
  use lib
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(ode) :: o
    type(ode2) :: q
    type(ode2) :: z
    integer :: i
    o%c = x
    q%c = x**2
    y = x
    do i = 1, 3
      call o%run(y)
      y = cos(y*y) + 1
      y = o%val(y)*q%val(x)*q%ode%val(y)
      call o%mix(y, q%c)
      call q%mix(o%c, y)
      call go(o, y)
      call go(q, y)
      y = 2 + sin(y)
    end do
    z = q
    y = y*y*z%val(y)
    y = y*y
  end subroutine
  subroutine go(o, u)
    class(ode), intent(inout) :: o
    real(8), intent(inout) :: u
    call o%run(u)
    u = cos(u*u) + 1
    u = u*o%val(u)
    call o%run(u)
  end subroutine
end module
