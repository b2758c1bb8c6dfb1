! Work arrays that are computed, used and overwritten: what computed their first values may run again for the adjoint.
module m
  implicit none
contains
  subroutine f(n, x, p, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), p(2)
    real(8), intent(inout) :: y(n)
    real(8) :: t(n), u(n), w(2, n), s
    integer :: i, k

    ! From what stands: both arrays in one loop, with a scalar that other loops use as well.
    do i = 1, n
      s = x(i) + p(1)
      t(i) = s*p(2)
      u(i) = s*x(i)
    end do
    do i = 1, n
      s = t(i)*u(i)
      y(i) = y(i) + s*sin(s)
    end do

    ! A chain: t comes from u, which is overwritten after t.
    do i = 1, n
      t(i) = u(i)*u(i)
    end do
    y = y*t + t*t
    t = 0.5d0*x
    do i = 1, n
      u(i) = x(i)*t(i)
    end do
    y = y + u*u*t

    ! A part of the array, the same each time; the other elements keep their values.
    do i = 2, n - 1
      t(i) = x(i-1)*x(i+1)
    end do
    do i = 1, n
      y(i) = y(i) + t(i)*t(i)*u(i)
    end do
    do i = 2, n - 1
      t(i) = sin(y(i))
    end do
    y = y + t*t

    ! Another part is overwritten: the array as a whole can't be had back from one loop.
    do i = 1, n/2
      t(i) = x(i)**2
    end do
    y = y + t**3
    do i = 1, n
      t(i) = cos(y(i))
    end do
    y = y*t

    ! In every iteration, with a way that depends on the data, and one that depends on what changes.
    do k = 1, 3
      do i = 1, n
        if (x(i) > 0.3d0) then
          w(1, i) = x(i)*k
          w(2, i) = p(1)
        else
          w(1, i) = p(2)
          w(2, i) = x(i)**2
        end if
      end do
      do i = 1, n
        y(i) = 0.5d0*y(i) + w(1, i)*w(2, i)*y(i)
      end do
      do i = 1, n
        if (y(i) > 0.4d0) w(1, i) = y(i)
        w(2, i) = sin(w(1, i))
      end do
      do i = 1, n
        y(i) = y(i) + w(1, i)*w(2, i)
      end do
    end do

    ! What it is computed from is overwritten in between: it has to be saved.
    s = p(1)
    t = s*x
    s = p(2)*y(1)
    y = y + t*t*s
    t = s*x*x
    y = y + t*t
  end subroutine f
end module m
