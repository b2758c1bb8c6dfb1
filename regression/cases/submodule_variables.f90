! head: m::f(y)/(x)
! refused: C0406 at 14
! What only a submodule knows can't be named by generated code.
module m
  implicit none
  interface
    module subroutine f(x, y)
      real(8), intent(in) :: x(3)
      real(8), intent(out) :: y
    end subroutine
  end interface
end module
submodule (m) s
  real(8) :: keep = 1
contains
  module procedure f
    keep = x(1)**2
    y = x(2)*keep
  end procedure
end submodule
