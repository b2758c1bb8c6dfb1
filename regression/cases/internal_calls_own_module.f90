! head: m::foo(x)/(x)
! An internal procedure calls a procedure of the module that it stands in.
module m
  implicit none
contains
  subroutine bar(x)
    real(8), intent(inout) :: x
    x = x*x
  end subroutine
  subroutine foo(x)
    real(8), intent(inout) :: x
    real(8) :: t
    t = 0.5d0
    call inner(x)
  contains
    subroutine inner(z)
      real(8), intent(inout) :: z
      call bar(z)
      z = z*t
    end subroutine
  end subroutine
end module
