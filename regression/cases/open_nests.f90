! Loops that find out when they end, in all kinds of places.
module m
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  ! An open loop in an open loop.
  subroutine nested(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    real(wp) :: u(n), v(n), old(n), t, res
    integer :: i, k
    u = 1 + 0.1_wp*x
    v = x
    t = 0
    do while (t < nt - 0.5_wp)
      old = u
      k = 0
      newton: do
        k = k + 1
        res = 0
        do i = 2, n - 1
          v(i) = old(i) - 0.1_wp*u(i)*(u(i+1) - u(i-1)) - 0.05_wp*v(i)*sin(u(i))
          res = res + (v(i) - u(i))**2
          u(i) = v(i)
        end do
        if (res < 1d-6 .or. k > 12) exit newton
      end do newton
      t = t + 1
    end do
    y = u*v
  end subroutine

  ! In a called procedure, which a counted time loop calls.
  subroutine called(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    real(wp) :: u(n)
    integer :: it
    u = 1 + x
    do it = 1, nt
      call solve(n, x, u)
      u = u*(1 - 0.01_wp*u)
    end do
    y = u
  end subroutine

  subroutine solve(n, b, u)
    integer, intent(in) :: n
    real(wp), intent(in) :: b(n)
    real(wp), intent(inout) :: u(n)
    real(wp) :: r(n), s
    integer :: i, k
    r = 0
    k = 0
    do
      k = k + 1
      s = 0
      do i = 2, n - 1
        r(i) = 0.5_wp*r(i) + b(i) + 0.25_wp*(u(i-1) + u(i+1)) - cos(u(i))
        u(i) = u(i) + 0.2_wp*r(i)
        s = s + r(i)**2
      end do
      if (s < 1d-8) exit
      u(1) = u(1)*(1 - 0.01_wp*u(2))
      if (k >= 9) exit
    end do
  end subroutine

  ! In a counted time loop; several exits; a limit.
  subroutine inside(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    real(wp) :: u(n), p(n), s
    integer :: i, it, k
    u = 1 + x
    p = 0
    do it = 1, nt
      do k = 1, 1000
        s = 0
        do i = 2, n - 1
          p(i) = 0.25_wp*(p(i-1) + p(i+1)) + 0.1_wp*u(i)*p(i) + 0.1_wp*u(i)
          s = s + p(i)**2
        end do
        if (s > 100) exit
        p(1) = 0.5_wp*p(2)*u(1)
        if (k > 6) exit
        p(n) = p(n-1)*0.1_wp
      end do
      do i = 2, n - 1
        u(i) = u(i) - 0.1_wp*(p(i+1) - p(i-1))*u(i)
      end do
    end do
    y = u*p
  end subroutine

  ! Two after each other; the first with a limit.
  subroutine two(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(wp), intent(in) :: x(n)
    real(wp), intent(out) :: y(n)
    real(wp) :: u(n), v(n), t
    integer :: i, it
    u = x
    v = 1
    do it = 1, 400
      do i = 2, n - 1
        u(i) = u(i) + 0.05_wp*v(i)*sin(u(i)) + 0.01_wp*u(i-1)*u(i+1)
      end do
      if (it >= nt) exit
      v = v*(1 - 0.1_wp*u)
    end do
    t = 0
    march: do while (t < nt)
      do i = 1, n
        v(i) = v(i)*cos(v(i)*u(i))
      end do
      do i = 2, n
        u(i) = u(i) + 0.1_wp*v(i)*u(i-1)
      end do
      t = t + 1
    end do march
    y = u*v
  end subroutine
end module
