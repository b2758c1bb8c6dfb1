! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Private variables that are set by calls, by array assignments, in branches and in loops that are left early: each iteration of
! the backward sweep has its own, and the derivatives of temporaries are zero in between.
module m
  implicit none
contains
  pure real(8) function limited(a, b)
    real(8), intent(in) :: a, b
    limited = 0
    if (a*b > 0) then
      limited = 2*a*b/(a + b)
      return
    end if
    limited = 0
  end function limited
  pure subroutine rates(y, d)
    real(8), intent(in) :: y(3)
    real(8), intent(out) :: d(3)
    d(1) = 2*(y(2) - y(1))
    d(2) = y(1)*(1 - y(3)) - y(2)
    d(3) = y(1)*y(2) - y(3)
  end subroutine rates
  subroutine stages(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer, parameter :: values = 3, last = 3
    real(8) :: s(values), k1(3), k2(3)
    integer :: i, v, it
    !$omp parallel do private(s, k1, k2, v, it)
    do i = 1, n
      do v = 1, values
        s(v) = x(i)**v
      end do
      do it = 1, 2
        call rates(s, k1)
        call rates(s + 0.1d0*k1, k2)
        s = s + 0.05d0*(k1 + k2)
      end do
      y(i) = y(i) + s(last) + sum(s)
    end do
  end subroutine stages
  subroutine branches(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: s, w(n), v(2)
    integer :: i, k, m
    !$omp parallel do private(k, s, w, v, m)
    do i = 1, n
      s = 0
      m = mod(i, 5) + 1
      w(1:m) = x(1:m)*x(i)
      if (x(i) > 0.8d0) then
        y(i) = y(i)*limited(x(i)*2, sum(w(1:m)))
        cycle
      else if (m > 2) then
        v = x(i)**2
        do k = 1, m
          w(k) = w(k)*w(1)
          s = s + limited(s + v(1), w(k))
          if (k > mod(i, 4)) exit
        end do
      else
        v(1) = w(1)
        v(2) = 1
      end if
      y(i) = y(i)*limited(s + v(1), 3*x(i))*v(2)
    end do
    ! The same names for something else.
    v = x(1)
    s = limited(x(1)*x(2), v(2))
    w(1) = s
    y(n) = y(n)*s*w(1)
  end subroutine branches
  subroutine steps(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: d(2), w(n)
    integer :: i, k, it, c
    do it = 1, 3
      !$omp parallel do private(k, d, c)
      do i = 2, n - 1
        d = [y(i) - y(i - 1), y(i + 1) - y(i)]
        w(i) = limited(d(1)*x(i), d(2))
        c = 0
        do k = 1, 3
          if (k > mod(i, 4)) exit
          w(i) = w(i)*1.1d0 + d(1)*0.1d0
          c = c + 1
        end do
        if (c > 1) w(i) = w(i)*d(2)
      end do
      !$omp parallel do private(d)
      do i = 2, n - 1
        d(1) = w(i)**2
        if (mod(i, 6) == 0) cycle
        d(2) = d(1)*x(i)
        y(i) = y(i) + 0.05d0*d(2)*sin(d(1))
      end do
    end do
  end subroutine steps
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: t(2), u, a(n), b(n)
    integer :: i
    y = x
    a = x
    b = x
    call stages(n, x, a)
    call branches(n, x, b)
    call steps(n, x, y)
    y = y + a + b
    !$omp parallel do lastprivate(t, u)
    do i = 1, n
      u = limited(x(i)*2, y(i))
      t = [u, u**2]
      y(i) = y(i) + t(1)*t(2)
    end do
    y(1) = y(1) + u*sum(t)
  end subroutine f
end module m
