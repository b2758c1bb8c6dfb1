! `do concurrent` loops in which every iteration assigns the same elements of a work array before it uses them: by loops, up to
! a place that differs, by pure procedures, whole or in part, numbers and integers. What it overwrites it saves for itself.
! What one iteration alone assigns all may see when the loop runs again.
! head: m::f(y)/(x, q)
! head: m::carried(y)/(x, y)
! size: n=9 steps=3
module m
  implicit none
  integer, parameter :: width = 5
contains
  pure subroutine flux(a, b, r)
    real(8), intent(in) :: a(:), b(:)
    real(8), intent(out) :: r(:)
    r = a*b + 0.2d0*(b - a)
    r(1) = r(2)*a(3)
  end subroutine flux

  pure function bend(w) result(r)
    real(8), intent(in) :: w(width)
    real(8) :: r
    r = w(1)*w(5) - w(2)*w(4) + w(3)**3
  end function bend

  pure subroutine swap(i, n, k)
    integer, intent(in) :: i, n
    integer, intent(out) :: k(:)
    k(1) = max(1, i - 1)
    k(2) = min(n, i + 1)
  end subroutine swap

  subroutine f(n, steps, x, q, y)
    integer, intent(in) :: n, steps
    real(8), intent(inout) :: x(n)
    real(8), intent(inout) :: q(n, 3)
    real(8), intent(out) :: y(n)
    real(8) :: left(3), right(3), minus(3), plus(3), old(n, 3), w(width), v(width), part(n), none(2)
    integer :: near(2), i, k, s, p, step
    y = 0
    do step = 1, steps
      old = q
      do concurrent (i = 2:n - 1)
        left = old(i - 1, :)
        right = old(i, :)
        call flux(left, right, minus)
        left = right
        right = old(i + 1, :)
        call flux(left, right, plus)
        q(i, :) = q(i, :) - 0.1d0*(plus - minus)*x(i)
        x(i) = x(i)*minus(2) + plus(3)
      end do
    end do
    do concurrent (i = n - 2:3:-1)
      do s = 1, width
        w(s) = x(i - 3 + s)
        do p = 1, s
          v(s) = w(p)
        end do
        v(s) = v(s)*w(1)
      end do
      y(i) = y(i)*bend(w) + bend(v)*q(i + 1, 1)
    end do
    do concurrent (i = 1:n)
      call swap(i, n, near)
      do k = 1, i
        part(k) = x(k)*q(i, 2)
      end do
      do k = 2, i
        part(k) = part(k)*part(k - 1)
      end do
      y(i) = y(i) + part(i)*q(near(1), 3) + q(near(2), 3)**2
    end do
    ! There is no iteration.
    do concurrent (i = n:n - 1)
      none(1) = y(i)
      y(i) = none(1)*none(1)
    end do
  end subroutine f

  subroutine carried(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: w(2), s
    integer :: i, step
    do step = 1, 2
      do concurrent (i = 1:n)
        if (step == 1) then
          if (i == 3) then
            w(1) = x(i)*x(i)
            s = x(i)**3
          end if
        else
          y(i) = y(i)*y(i)*w(1)*s
        end if
      end do
    end do
  end subroutine carried
end module m
