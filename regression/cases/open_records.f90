! Calls in loops of which nobody knows how often they run: split, their records are stacks, and tapes are kept in records.
! head: m::f(y)/(x)
! head: m::g(y)/(x)
! head: m::h(y)/(x)
! size: n=4
! value: steps=4 lim=0.2
module m
  implicit none
  real(8) :: total = 0d0
contains
  subroutine relax(v, k, tol, it)
    integer, intent(in) :: k
    real(8), intent(inout) :: v(k)
    real(8), intent(in) :: tol
    integer, intent(out) :: it
    real(8) :: r, w(k)
    it = 0
    r = 1d0 + tol
    do while (r > tol .and. it < 20)
      w = v
      v = 0.5d0*(v + sin(w)*w)
      r = maxval(abs(v - w))
      it = it + 1
    end do
    total = total + sum(v**2)
  end subroutine
  subroutine level(v, k, lim)
    integer, intent(in) :: k
    real(8), intent(inout) :: v(k)
    real(8), intent(in) :: lim
    integer :: i, it
    real(8) :: s
    s = sum(v)
    do while (s > lim)
      do i = 1, 2
        call relax(v, k, 0.1d0, it)
        v = v*v + 0.01d0*it
      end do
      s = 0.5d0*s
      if (s < 0.3d0*lim) exit
    end do
    call relax(v, k, 0.5d0, it)
  end subroutine
  subroutine f(n, x, y, steps, lim)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: x(n), lim
    real(8), intent(out) :: y(n)
    real(8) :: t, dt
    integer :: k
    y = x
    t = 0
    total = 0
    k = 0
    do
      if (k >= steps) exit
      dt = 0.1d0/(1 + sum(y**2))
      call level(y, n, lim)
      y = y*(1 + dt)
      t = t + dt
      k = k + 1
    end do
    y = y + total*x
  end subroutine
  ! a counted time loop around open loops, in blocks
  subroutine g(n, x, y, steps, lim)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: x(n), lim
    real(8), intent(out) :: y(n)
    integer :: k
    y = x
    total = 0
    do k = 1, steps
      call level(y, n, lim)
      y = y*x + 0.1d0*total
    end do
  end subroutine
  ! under a schedule
  subroutine h(n, x, y, steps, lim)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: x(n), lim
    real(8), intent(out) :: y(n)
    integer :: k
    y = x
    total = 0
    !$ad checkpoint schedule(revolve) snapshots(2)
    do k = 1, steps
      call level(y, n, lim)
      y = y*x + 0.1d0*total
    end do
  end subroutine
end module
