! head: k::foo(x)/(x)
! A local variable has the name of a variable of another module, of which only the procedure that changes it is used.
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
contains
  subroutine foo(x)
    use m, only: bar
    real(8), intent(inout) :: x
    real(8) :: t
    t = 0.5d0
    call bar(x)
    x = x*t
    call bar(x)
  end subroutine
end module
