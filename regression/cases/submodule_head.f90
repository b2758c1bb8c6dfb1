! head: m::f(y)/(x)
! head: m::g(y)/(x)
! head: m::user(y)/(x)
! Bodies in submodules: with the interface repeated, with `module procedure`, in a submodule of a submodule; they call each
! other, use modules and constants of their own, and are called by procedures of the module.
module consts
  implicit none
  real(8), parameter :: two = 2
  real(8) :: scale = 3
end module
module m
  implicit none
  real(8) :: state = 1
  integer, parameter, private :: third = 3
  interface
    module subroutine f(x, y)
      real(8), intent(in) :: x(3)
      real(8), intent(out) :: y
    end subroutine
    module subroutine g(x, y)
      real(8), intent(in) :: x(3)
      real(8), intent(out) :: y
    end subroutine
    module function h(a) result(r)
      real(8), intent(in) :: a
      real(8) :: r
    end function
  end interface
contains
  subroutine user(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: z
    call f(x, z)
    call g(x, y)
    y = y*z + h(x(1))
  end subroutine
  subroutine add(a)
    real(8), intent(in) :: a
    state = state + a**2
  end subroutine
end module
submodule (m) s
  use consts, only: two, scale
  implicit none
  real(8), parameter :: half = 0.5d0
contains
  module subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    state = x(third)
    call add(x(1))
    y = x(2)**2*half*state + h(x(1))*scale
  end subroutine
  module procedure g
    y = h(x(1))*x(2)*two
    call f(x, y)
    y = y*x(3)
  end procedure
end submodule
submodule (m:s) t
contains
  module procedure h
    r = sin(a)*half
  end procedure
end submodule
