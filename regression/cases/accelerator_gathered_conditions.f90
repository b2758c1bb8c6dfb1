! head: m::s(u,v,w)/(u,a,b,v,w)
! size: n=3,7 m=3,6
! acc: host
! Stencils with conditions on devices: increments are gathered by element, and the conditions move with them.
module m
  implicit none
contains
  subroutine s(n, m, u, a, b, v, w)
    integer, intent(in) :: n, m
    real(8), intent(in) :: a(n, m), b(n, m)
    real(8), intent(inout) :: u(n, m), v(n, m), w(n, m)
    integer :: i, j, k
    real(8) :: fx, fy, t
    logical :: mask(n, m), here
    do j = 1, m
      do i = 1, n
        mask(i, j) = mod(i*j, 3) > 0
      end do
    end do
    ! Velocities that point one way or the other, in scalars of each iteration; the last value of v is used.
    !$acc parallel loop collapse(2) private(fx, fy, t)
    do j = 2, m - 1
      do i = 2, n - 1
        fx = a(i, j) - 1
        fy = b(i, j) - 1
        if (fx > 0) then
          t = fx*(u(i, j) - u(i - 1, j))
        else
          t = fx*(u(i + 1, j) - u(i, j))
        end if
        if (fy > 0) then
          t = t + fy*(u(i, j) - u(i, j - 1))
        else
          t = t + fy*(u(i, j + 1) - u(i, j))
        end if
        v(i, j) = 0.5d0*v(i, j) + u(i, j) - 0.1d0*t*t
      end do
    end do
    ! Ends of rows, and a test of its own.
    !$acc parallel loop collapse(2) private(t, here)
    do j = 1, m
      do i = 1, n
        here = mask(i, j)
        t = 0
        if (i > 1) t = t + v(i - 1, j)
        if (i < n) t = t + v(i + 1, j)*a(i, j)
        if (here .and. j > 1) then
          t = t*v(i, j - 1)
        else if (j < m) then
          t = t*v(i, j + 1)
        end if
        w(i, j) = t
      end do
    end do
    ! A scalar that is assigned within the condition that uses it, and cases.
    !$acc parallel loop private(t, k)
    do j = 2, m - 1
      k = mod(j, 3)
      t = w(1, j)
      if (t > 1) then
        t = t*w(1, j - 1)
        v(1, j) = v(1, j) + t
      end if
      select case (k)
      case (0)
        v(1, j) = v(1, j) + w(1, j)*w(1, j + 1)
      case (1)
      case default
        v(1, j) = v(1, j) - w(1, j - 1)
      end select
    end do
    ! The borders are set in the same nest.
    !$acc parallel loop collapse(2)
    do j = 1, m
      do i = 1, n
        if (i == 1 .or. i == n .or. j == 1 .or. j == m) then
          u(i, j) = 0
        else
          u(i, j) = 2*w(i, j) + 0.1d0*a(i, j)*(w(i + 1, j) + w(i - 1, j)*w(i, j + 1) - w(i, j - 1))
        end if
      end do
    end do
    ! What the condition asks for is changed by the loop itself: that stays as it is.
    !$acc parallel loop
    do i = 2, n - 1
      if (v(i, 1) > 1) v(i, 1) = v(i, 1)*u(i + 1, 1)*u(i - 1, 1)
    end do
  end subroutine
end module
