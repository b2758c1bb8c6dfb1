! A final procedure that changes what a component of its object points to leaves a trace where the object's life ends.
! head: m::f(y)/(x)
! refused: C0404 at 20
module m
  implicit none
  type t
    integer, pointer :: count => null()
  contains
    final :: done
  end type
contains
  subroutine done(s)
    type(t), intent(inout) :: s
    if (associated(s%count)) s%count = s%count + 5
  end subroutine
  subroutine use_counter(a, b, c)
    real(8), intent(inout) :: a
    real(8), intent(in) :: b
    integer, target, intent(inout) :: c
    type(t) :: s
    s%count => c
    a = b*a
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    integer, target :: c
    c = 1
    y = x(2)
    call use_counter(y, x(1), c)
    y = y*c
  end subroutine
end module
