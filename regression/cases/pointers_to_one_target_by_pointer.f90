! A callee that knows a variable by its own name and by a pointer associates its component by the one and uses it by the
! other, where it leads to the target of another pointer.
! head: m::f(y)/(x)
! refused: C0407 at 27
module m
  implicit none
  type state
    real(8), pointer :: now(:) => null()
  end type
  type(state), target :: s, other
  real(8), pointer :: new(:) => null()
  real(8), target :: first(4), second(4), third(4)
contains
  subroutine step(p, q)
    real(8), intent(in) :: p(:)
    real(8), intent(inout) :: q(:)
    integer :: i
    do i = 2, 4
      q(i) = p(i - 1)*1.05d0 - 0.1d0*p(i)**2 + 0.2d0*q(i)*q(1)
    end do
  end subroutine

  subroutine lead(d)
    type(state), intent(inout) :: d
    d%now => second
    ! `s` is `d` here.
    call step(s%now, new)
  end subroutine

  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    type(state), pointer :: q
    first = x
    second = x**2
    third = 1
    s%now => first
    new => second
    other%now => third
    q => s
    if (x(1) > 100) q => other
    call lead(q)
    y = second + first
  end subroutine
end module
