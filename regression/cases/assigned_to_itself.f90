! head: m::f(y)/(x)
! head: m::in_loop(y)/(x)
! head: m::in_steps(y)/(x)
! size: n=4
! calls: split
! a scalar that is assigned to itself in a procedure whose adjoint has two halves
module m
  implicit none
contains
  subroutine change(d, e)
    real(8), intent(in) :: d(:)
    real(8), intent(inout) :: e(:)
    real(8) :: s
    s = 0.5d0*d(1)
    s = s
    e(1) = cos(e(1) + s)
  end subroutine change
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: w(n)
    y = 0.7d0*x
    w = x - 0.2d0
    call change(w, y)
    y(2) = y(1)*w(2)*y(1)
    call change(y, w)
    y(n) = y(n)*w(1)
  end subroutine f
  subroutine in_loop(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: w(n)
    integer :: i
    y = 0.7d0*x
    w = x - 0.2d0
    do i = 1, n
      call change(w, y)
      y(i) = y(i)*w(2) + y(1)**2
    end do
  end subroutine in_loop
  subroutine in_steps(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: w(n)
    integer :: i
    y = 0.7d0*x
    w = x - 0.2d0
    !$ad checkpoint schedule(mixed) snapshots(2)
    do i = 1, 5
      call change(w, y)
    end do
  end subroutine in_steps
end module m
