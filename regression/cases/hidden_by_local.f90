! head: m::foo(x)/(x)
! A local variable hides the variable of its module that a call changes.
module m
  implicit none
  real(8) :: t = 1d0
contains
  subroutine bar(x)
    real(8), intent(inout) :: x
    x = x*t
    t = t + x
  end subroutine
  subroutine foo(x)
    real(8), intent(inout) :: x
    real(8) :: t
    t = 0.5d0
    call bar(x)
    x = x*t
    call bar(x)
  end subroutine
end module
