! Loops of constant bounds, in both directions, by steps, with one iteration and with none: what they assign is there behind
! them, unless an iteration is left early, or the assignment is made in some cases only.
! head: m::f(y, s)/(x)
! size: n=5
module m
  implicit none
contains
  subroutine blend(a, b, c)
    real(8), intent(in) :: a
    real(8), intent(inout) :: b
    real(8), intent(out) :: c
    integer :: k
    do k = 2, 1, -1
      c = a*b
      b = b + 0.1d0*c*c
    end do
    do k = 3, 1
      c = 7*a*a
    end do
  end subroutine blend

  subroutine f(n, x, y, s)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n), s
    real(8) :: p, q, r, w(3), v(5), u(0:5)
    integer :: i, k, l
    s = 0.5d0
    r = x(1)*x(1)
    w = x(2)
    do i = 1, n
      p = x(i)
      ! The value from before is used where the first iteration is left at once.
      do k = 1, 3
        if (x(i) > 0.6d0) exit
        p = p*x(i) + k
      end do
      q = p*p
      do k = 3, 1, -2
        if (k == 3) cycle
        q = q*p
      end do
      rows: do k = 1, 2
        do l = -1, 0
          if (x(i) < 0.3d0) cycle rows
          if (x(i) > 0.9d0) exit rows
          r = r*q + l*x(i)
        end do
      end do rows
      do k = 1, 0
        q = 100*x(i)
      end do
      do k = 2, 2
        w(k) = r*w(1)
      end do
      do k = 1, 3
        w(k) = w(k)*x(i)
      end do
      ! A loop that assigns a part of an array leaves the rest of what stands before it.
      do k = 1, 5
        v(k) = sin(x(i)*k)
      end do
      do k = 1, 2
        v(5) = v(k)*x(i)
      end do
      u = v(1)
      do k = 1, 2
        call blend(x(i), u(k), v(2))
      end do
      do k = 1, 5, 3
        u(0) = u(k)*v(3)
      end do
      q = q + 0.1d0*(v(3)*v(5) + u(0)*u(2) + v(2))
      call blend(q, r, p)
      y(i) = q*r + w(2)*p
      do k = 1, 2
        if (r > 1) then
          r = 1/r
          go to 10
        end if
        s = s + r*s*x(i)
      end do
10    continue
      s = s*(1 + 0.1d0*k)
    end do
  end subroutine f
end module m
