! head: m::f(y)/(x)
! size: n=20
! acc: host
! Called procedures rely on finding objects on the device, where their callers have put them.
module m
  implicit none
  type state
    real(8) :: u(20), v
  end type state
contains
  subroutine advance(s)
    type(state), intent(inout) :: s
    integer :: i
    !$acc parallel loop present(s)
    do i = 1, 20
      s%u(i) = s%u(i)**2 + s%v
    end do
  end subroutine advance

  subroutine damp(s, t)
    type(state), intent(inout) :: s
    type(state), intent(in) :: t
    integer :: i
    !$acc parallel loop default(present)
    do i = 1, 20
      s%u(i) = s%u(i)*cos(t%u(21 - i))
    end do
    call advance(s)
  end subroutine damp

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(state) :: s, t
    s%u = x
    t%u = 0.5d0*x
    s%v = 0.3d0
    t%v = x(2)
    !$acc enter data copyin(s, t)
    call advance(t)
    call damp(s, t)
    call advance(s)
    !$acc exit data copyout(s) delete(t)
    y = s%u
  end subroutine f
end module m
