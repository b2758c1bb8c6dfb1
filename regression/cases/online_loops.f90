! Time loops whose number of steps, nt in all of them, is known only when they end.
module m
  implicit none
  integer, parameter :: wp = kind(1d0)
  real(wp) :: level(100), time
  ! For directives.
  integer :: slots = 3
contains
  ! A step size that follows from the state; the time is none of it.
  subroutine until(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    real(wp) :: u(n), old(n), t, dt
    integer :: i
    u = x
    t = 0
    do while (t < nt - 0.5_wp)   ! time loop
      dt = 0.1_wp/(1 + maxval(abs(u)))
      old = u
      do i = 2, n - 1
        u(i) = old(i) + dt*old(i)*(old(i+1) - 2*old(i) + old(i-1))
      end do
      t = t + 1
    end do
    y = u*sin(u(n/2))
  end subroutine

  ! The state is allocated anew in each step, and so is a work array.
  subroutine allocates(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    real(wp), allocatable :: u(:), w(:)
    integer :: k
    u = x
    k = 0
    do while (k < nt)   ! time loop
      allocate(w(n))
      w = u + 0.1_wp*sin(u)*x
      u = w*cos(0.1_wp*u)
      deallocate(w)
      k = k + 1
    end do
    y = u*u
    deallocate(u)
  end subroutine

  ! Left at the end of a step; the norm is for this only.
  subroutine fixed_point(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    real(wp) :: u(n), old(n), change
    integer :: i, k
    u = 0.5_wp
    k = 0
    do   ! time loop
      old = u
      do i = 1, n
        u(i) = 0.5_wp*cos(old(i)*x(i)) + 0.1_wp*old(mod(i, n) + 1)**2
      end do
      k = k + 1
      change = sqrt(sum((u - old)**2)) + 1
      if (change > 0 .and. k >= nt) exit
    end do
    y = u*x
  end subroutine

  ! Left in the middle of a step, what precedes it counts; the counter and the flag are used after the loop.
  subroutine middle(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    real(wp) :: u(n), g
    integer :: i, it
    u = x
    do it = 1, 1000   ! time loop
      g = sum(u*u)/n
      do i = 2, n
        u(i) = u(i) - 0.1_wp*g*u(i)*(u(i) - u(i-1))
      end do
      if (it >= nt) exit
      do i = 1, n
        u(i) = u(i)*cos(0.1_wp*u(i))
      end do
    end do
    y = u*(1 + 0.01_wp*it) + g
  end subroutine

  ! Several ways out, with work before some of them; a jump to the next step; a loop that may run to its end.
  subroutine several(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(inout) :: y(n)
    real(wp) :: u(n), v(n)
    integer :: i
    integer(8) :: it
    u = x
    v = 1
    do it = 3, 3*nt, 3   ! time loop
      if (mod(nt, 4) == 1 .and. it/3 >= nt) then
        v = v*u
        exit
      end if
      do i = 1, n
        u(i) = u(i) + 0.05_wp*v(i)*sin(u(i))
      end do
      if (mod(it, 5_8) == 0) cycle
      v = v*(1 - 0.1_wp*u)
      if (nt > 1000) then
        v = 0
      else if (mod(nt, 4) == 2 .and. it/3 >= nt) then
        u(1) = u(1)*v(n)
        exit
      else
        u(2) = u(2)*v(1)
      end if
      u(n) = u(n)*(1 + 0.1_wp*v(1)**2)
      if (mod(nt, 4) == 3 .and. it/3 >= nt) exit
      v(n) = v(n)*u(1)
    end do
    y = y*u + v + 0.001_wp*it
  end subroutine

  ! Left from loops inside it, and by a return.
  subroutine inner(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    real(wp) :: u(n)
    integer :: i, k
    u = x
    y = 0
    k = 0
    outer: do   ! time loop
      k = k + 1
      do i = 1, n
        u(i) = u(i)*(1 - 0.1_wp*u(mod(i, n) + 1))
        if (i == n/2 .and. k >= nt .and. mod(nt, 2) == 0) exit outer
      end do
      y = 0.5_wp*y + u**2
      if (k >= nt .and. mod(nt, 5) == 0) then
        y = y*u
        return
      end if
      u = u + 0.01_wp*y
      if (k >= nt) exit
    end do outer
    y = y + cos(u)
  end subroutine

  ! State in the module, changed in a call; a flag of the user's; an earlier use of the state; a cost is summed.
  subroutine calls(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    logical :: done
    integer :: i
    level = 0.3_wp
    level(1:n) = x
    y = 0
    do i = 1, n
      y(i) = y(i) + level(i)**3
    end do
    time = 0
    done = nt == 0
    do while (.not. done)   ! time loop
      call step(n, 0.1_wp)
      do i = 1, n
        y(i) = y(i) + (level(i) - cos(i*time))**2
      end do
      done = goes_on(nt)
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
    time = time + 1
  end subroutine

  logical function goes_on(nt)
    integer, intent(in) :: nt
    goes_on = time > nt - 0.5_wp
  end function

  ! A function of the state in the condition.
  subroutine asked(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    real(wp) :: u(n)
    integer :: k
    u = 1 + x
    k = 0
    do while (size_of(n, u) > 0 .and. k < nt)   ! time loop
      k = k + 1
      u = u*(1 - 0.1_wp*u) + 0.01_wp*x*u(n)
      if (u(1) < -10) cycle
      u(1) = u(1)*cos(u(2))
    end do
    y = u
  end subroutine

  real(wp) function size_of(n, u)
    integer, intent(in) :: n
    real(wp), intent(in) :: u(n)
    size_of = norm2(u)
  end function

  ! Both a condition and a way out; a history that the next step uses; a subcycle that isn't counted either.
  subroutine history(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    real(wp) :: past(0:1000), u(n), e
    integer :: k, sub
    past = 1
    u = x
    k = 0
    do while (k < nt)   ! time loop
      k = k + 1
      sub = 0
      do while (sub < 2)
        u = u*(1 - 0.05_wp*past(k-1)*u)
        sub = sub + 1
      end do
      e = sum(u**2)
      past(k) = 0.5_wp*past(k-1) + e/n
      if (k == nt .and. mod(nt, 2) == 1) exit
      u(1) = u(1) + 0.1_wp*past(k)
    end do
    y = u*past(k)
  end subroutine
end module
