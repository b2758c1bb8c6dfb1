! head: k::foo(x)/(x)
! Two modules have a variable of the same name; a call changes the one that isn't used here.
module m
  implicit none
  real(8) :: t = 1d0
contains
  subroutine bar(x)
    real(8), intent(inout) :: x
    x = x*t
    t = t + x
  end subroutine
end module
module k
  implicit none
  real(8) :: t = 0.5d0
contains
  subroutine foo(x)
    use m, only: bar
    real(8), intent(inout) :: x
    call bar(x)
    x = x*t
    call bar(x)
  end subroutine
end module
