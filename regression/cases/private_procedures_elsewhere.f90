! head: m::f(y)/(x)
! layout: extend
! Private procedures and components of another module: behind generic, operator and `nopass` bindings.
module lib
  implicit none
  private
  type, public :: ode
    real(8), private :: c = 1
  contains
    procedure :: run
    procedure :: set
    procedure :: val => value_of
    procedure, private :: hid
    procedure, private :: hid2
    generic :: both => hid, hid2
    procedure, nopass :: np
    procedure, private, pass(s) :: mul
    generic :: operator(*) => mul
  end type
  type, extends(ode), public :: ode2
  contains
    procedure :: val => value2
  end type
contains
  subroutine set(self, u)
    class(ode), intent(inout) :: self
    real(8), intent(in) :: u
    self%c = u
  end subroutine
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
    u = u*u
  end subroutine
  subroutine np(u)
    real(8), intent(inout) :: u
    u = u*u
  end subroutine
  subroutine hid2(self, u)
    class(ode), intent(in) :: self
    real(8), intent(inout) :: u(:)
    u = u*u + self%c
    u = u*u
  end subroutine
  real(8) function value_of(self, a)
    class(ode), intent(in) :: self
    real(8), intent(in) :: a
    value_of = self%c*a
  end function
  real(8) function mul(a, s)
    class(ode), intent(in) :: s
    real(8), intent(in) :: a
    mul = s%c*a
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
    real(8) :: w(2)
    integer :: i
    call o%set(x)
    call q%set(x**2)
    y = x
    w = x
    do i = 1, 3
      call o%run(y)
      call o%both(y)
      call o%both(w)
      y = sin(y)
      y = y*y*0.1d0*w(1)
      w = sin(w)
      call o%np(y)
      y = o%val(y)*q%val(x)*q%ode%val(y)
      y = y*o*y*q
      call o%run(y)
      y = sin(y)
      call go(o, y)
      call go(q, y)
      y = sin(y)
    end do
    y = y*y
  end subroutine
  subroutine go(o, u)
    class(ode), intent(in) :: o
    real(8), intent(inout) :: u
    call o%run(u)
    u = u*u*0.1d0
    u = u*o%val(u)
    call o%run(u)
  end subroutine
end module
