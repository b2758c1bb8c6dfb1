! Split calls of procedures whose local objects have allocatable components: the backward half frees them and asks for
! their bounds, whether it needs their values or not.
! head: m::f(y)/(x)
! calls: split
module m
  implicit none
  type r
    real(8), allocatable :: d(:)
  end type
  type outer
    type(r) :: held(2)
    real(8) :: scale = 1
  end type
contains
  subroutine values_not_needed(x, s)
    real(8), intent(in) :: x
    real(8), intent(inout) :: s
    type(r) :: c
    c%d = [x, x*x]
    s = s + c%d(2)
  end subroutine
  subroutine values_needed(x, s)
    real(8), intent(in) :: x
    real(8), intent(inout) :: s
    type(outer) :: c
    allocate (c%held(1)%d(0:1))
    c%held(1)%d(0) = 3*x
    c%held(2)%d = [s, x]
    c%scale = c%held(1)%d(0)*c%held(2)%d(1)
    s = s*c%scale + sum(c%held(2)%d**2)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = 1
    call values_not_needed(x, y)
    call values_needed(x*x, y)
    call values_not_needed(x*2, y)
  end subroutine
end module
