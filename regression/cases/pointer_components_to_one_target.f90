! head: m::f(y)/(x)
! refused: C0407 at 24
! two pointer components that lead to one target are passed to a procedure that changes it by one name
module m
  implicit none
  type state
    real(8), pointer :: now(:), new(:)
  end type state
contains
  subroutine adv(u, v)
    real(8), intent(in) :: u(:)
    real(8), intent(inout) :: v(:)
    v(2:) = v(2:) + u(:size(u)-1)*u(2:)
  end subroutine adv

  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    type(state) :: s
    real(8), target :: a(4)
    a = x
    s%now => a
    s%new => a
    call adv(s%now, s%new)
    y = a
  end subroutine f
end module m
