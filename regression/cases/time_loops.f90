! Time loops whose state is carried in different ways: module state, derived types, calls, work arrays, subcycles.
module m
  implicit none
  integer, parameter :: wp = kind(1d0)
  type field
    real(wp) :: h(100), w(-1:98)
  end type
  real(wp) :: level(100)
contains
  ! State in a derived type, work array partly assigned, negative step.
  subroutine down(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    type(field) :: s
    real(wp) :: flux(0:100), dt
    integer :: i, k
    s%h = 0.5_wp
    s%w = 0.1_wp
    s%h(1:n) = x
    dt = 0.05_wp
    do k = nt, -nt, -1
      flux(0) = s%h(1)*s%w(0)
      do i = 1, n - 1
        flux(i) = 0.5_wp*(s%h(i) + s%h(i+1))*s%w(i-1)
      end do
      flux(n) = s%h(n)*s%w(n-1)
      do i = 1, n
        s%h(i) = s%h(i) - dt*(flux(i) - flux(i-1))
        s%w(i-1) = s%w(i-1) - dt*sin(s%h(i))*s%w(i-1)
      end do
      dt = dt*0.999_wp
    end do
    y = s%h(1:n)*s%w(0:n-1) + k*x(1)
  end subroutine

  ! The start of the state is needed before the loop too; the counter is used after it; step 3.
  subroutine before(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(inout) :: x(n)
    real(wp), intent(inout) :: y(n)
    integer :: i, it
    real(wp) :: total
    total = 0
    do i = 1, n
      total = total + x(i)**3
    end do
    y = y*total
    do it = 2, nt, 3
      do i = n, 2, -1
        x(i) = x(i) - 0.3_wp*x(i)*(x(i) - x(i-1)) + 0.01_wp*y(i)
      end do
      x(1) = x(1)*cos(x(n))
    end do
    do i = 1, n
      y(i) = y(i)*x(i)**2 + it
    end do
  end subroutine

  ! The counter's value from before the loop is needed by the adjoint of a statement there.
  subroutine counter(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    integer :: i, it
    it = 3
    if (nt > 20) it = 2
    do i = 1, n
      y(i) = it*x(i)**2
    end do
    do it = 1, nt
      do i = 2, n
        y(i) = y(i) - 0.1_wp*y(i)*(y(i) - y(i-1))
      end do
    end do
  end subroutine

  ! Module state changed in a call; observations read by the counter; a cost is summed.
  subroutine calls(n, nt, x, obs, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n), obs(n, nt)
    real(wp), intent(out) :: y
    integer :: it, i
    level = 0.3_wp
    level(1:n) = x
    y = 0
    do it = 1, nt
      call step(n, 0.1_wp)
      do i = 1, n
        y = y + (level(i) - obs(i, it))**2
      end do
    end do
  end subroutine

  subroutine step(n, dt)
    integer, intent(in) :: n
    real(wp), intent(in) :: dt
    real(wp) :: new(n)
    integer :: i
    do i = 2, n - 1
      new(i) = level(i) + dt*level(i)*(level(i+1) - 2*level(i) + level(i-1))
    end do
    level(2:n-1) = new(2:n-1)
  end subroutine

  ! A subcycle inside, a branch that guards part of the state, an index vector, an integer state.
  subroutine subcycled(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    real(wp) :: u(n), v(n), g
    integer :: it, sub, i, perm(n), phase
    phase = 0
    do i = 1, n
      perm(i) = mod(i*3, n) + 1
    end do
    u = x
    v = 0.2_wp
    do it = 1, nt
      phase = mod(phase + 1, 4)
      do sub = 1, 3
        do i = 1, n
          v(perm(i)) = v(perm(i)) + 0.02_wp*u(i)*v(i)
        end do
      end do
      if (phase == 2) then
        do i = 1, n/2
          u(i) = u(i)*v(i)
        end do
      else
        g = sum(v)/n
        do i = 1, n
          if (u(i) > 0.4_wp) u(i) = u(i) - 0.1_wp*g*u(i)**2
        end do
      end if
    end do
    y = u*v
  end subroutine

  ! Assumed shape with a lower bound, complex state, work array with a hole, loop bounds in variables that change.
  subroutine shaped(x, y, nt)
    real(wp), intent(in) :: x(0:)
    real(wp), intent(out) :: y(0:)
    integer, intent(in) :: nt
    complex(wp) :: z(0:size(x)-1), w(0:size(x)-1)
    integer :: it, i, last
    last = ubound(x, 1)
    z = cmplx(x, 0.1_wp, wp)
    do it = 1, nt
      do i = 0, last, 2
        w(i) = z(i)*conjg(z(i)) + z(i)
      end do
      do i = 0, last
        z(i) = z(i)*(1 - 0.1_wp*z(i)) + 0.01_wp*w(2*(i/2))
      end do
    end do
    last = 0
    y = real(z)*aimag(z)
  end subroutine

  ! Each step changes less of the state than the one before, and one element by itself.
  subroutine shrinking(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    real(wp) :: rate
    integer :: i, it
    y = x
    rate = 0.3_wp
    do it = 1, nt
      do i = it, n
        y(i) = y(i) - rate*y(i)*y(n+it-i)
      end do
      if (it <= n) y(it) = rate*y(it)**2 + x(1)
      rate = 0.98_wp*rate + 0.01_wp*y(1)
    end do
  end subroutine
end module
