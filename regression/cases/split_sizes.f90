! Split calls whose arrays have other extents each time: a record that is used again in the next block of the time loop has
! the memory of a call of another size, larger, smaller or empty, and so have the records inside it.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: u(n)
    integer :: k
    u = x
    do k = 1, 23
      call advance(1 + mod(3*k, n), mod(k, 4), u)
      u = 0.8d0*u + 0.2d0*x*u(1)
    end do
    y = u
    do k = 1, n
      call relax(k, k/2 - 1, y)
      call relax(n + 1 - k, 2*k, y)
    end do
  end subroutine

  subroutine advance(length, levels, u)
    integer, intent(in) :: length, levels
    real(8), intent(inout) :: u(length)
    real(8) :: a(0:length), t(levels, length)
    integer :: i, l
    a(0) = 0.3d0
    do i = 1, length
      a(i) = sin(u(i))*a(i-1) + 1
    end do
    do i = 1, length
      do l = 1, levels
        t(l, i) = exp(-a(i)*l)
        u(i) = u(i)*t(l, i) + 0.1d0*a(i)
      end do
    end do
    call relax(min(levels + 1, length), length - levels, u)
    do i = 2, length
      u(i) = cos(u(i)*u(i-1))*a(i)
    end do
  end subroutine

  subroutine relax(length, first, u)
    integer, intent(in) :: length, first
    real(8), intent(inout) :: u(length)
    real(8) :: w(first:length)
    real(8), allocatable :: v(:)
    integer :: i
    allocate (v(length))
    w = 0.5d0
    do i = 2, length
      v(i) = u(i)*u(i-1)
      u(i) = 0.5d0*sin(v(i)) + u(i)**2*0.1d0
    end do
    do i = max(first, 1), length
      w(i) = u(i)*w(i)
      u(i) = u(i) - w(i)**2
    end do
    do i = max(first, 1), length
      u(i) = u(i)*cos(w(i)*u(length))
    end do
    if (length > 1) u(1) = u(1)*v(2)
  end subroutine
end module
