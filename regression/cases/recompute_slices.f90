! Work arrays computed by several statements, by calls, from what is overwritten later: all of these may run again.
module m
  implicit none
  type work
    real(8) :: a(8), b(8), c
  end type work
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: flux(0:n), t(n), u(n), q(0:n+1, 2)
    type(work) :: w
    integer :: i, j

    ! The ends apart from the rest, which together are the whole array.
    do i = 1, n - 1
      flux(i) = x(i)*x(i+1)
    end do
    flux(0) = x(1)
    flux(n) = 0.5d0*x(n)
    do i = 1, n
      y(i) = y(i) + flux(i)*flux(i-1)
    end do
    do i = n - 1, 1, -1
      flux(i) = 0.3d0*x(i)
    end do
    flux(0) = flux(n-1)
    flux(n) = flux(1)
    y = y*(1 + flux(1:n)) + flux(0:n-1)**2
    flux = 0

    ! A rim that is copied from the inside, and one that isn't assigned at all times.
    do j = 1, 2
      do i = 1, n
        q(i, j) = x(i)*j
      end do
    end do
    do j = 1, 2
      q(0, j) = q(n, j)
      q(n+1, j) = q(1, j)
    end do
    do i = 1, n
      y(i) = y(i) + q(i-1, 1)*q(i+1, 2)
    end do
    do j = 1, 2
      do i = 1, n
        q(i, j) = q(i, j)*x(i)
      end do
      if (x(1) > 0.2d0) q(0, j) = x(2)
      q(n+1, j) = x(n)
    end do
    y = y + y*q(1:n, 2)*q(0:n-1, 1)
    q = 1

    ! Calls, for a whole array, for elements, and one that changes a state.
    call coefficients(n, x, t)
    y = y + t*t
    call coefficients(n, y, t)
    do i = 1, n
      u(i) = bounded(x(i), 0.3d0)
    end do
    y = y + t*t*u*u
    call tick(t(1), w%c)
    u = t
    do i = 1, n
      y(i) = y(i) + u(i)**2*w%c*t(i)
    end do
    call tick(t(2), w%c)
    y = y + w%c*t(2)*y
    t = 0
    u = x

    ! What it comes from is overwritten after its last use, and before it is overwritten itself.
    do i = 1, n
      t(i) = u(i)*y(i)
    end do
    u = u*t
    y = y + sin(t)
    t = u
    y = y + y*t

    ! Components; a scalar on the way that stands for something else in between.
    w%b = 0.1d0
    w%c = x(2)
    w%a = w%c*x(1)
    w%b(1) = w%c
    y = y + w%a(2)*w%b(1)*w%a(1)
    w%c = y(2)
    w%a = y(3)*w%c
    y = y + y*w%a(1)*w%c
    w%a = 0

    ! The loop that computes it overwrites what it comes from.
    u = x
    do i = 1, n
      t(i) = u(i)*y(1)
      u(i) = 0.3d0
    end do
    y = y + t*t*u
    t = x*u
    y = y + t*t

    ! Every other element, and a loop that doesn't run: the other elements have their values from before.
    t = 1/(1 + y*y)
    do i = 1, n, 2
      t(i) = x(i)*x(i)
    end do
    y = y + t**2
    do i = 1, n
      t(i) = x(i)
    end do
    y = y + y*t
    t = x
    do j = 2, int(0.1d0*x(1)) + 1
      t(2) = x(3)*x(2)
    end do
    y = 0.1d0*y + t*t
    t(2) = y(3)
    y = y + t*t
  end subroutine f

  subroutine coefficients(n, x, t)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: t(n)
    integer :: i
    do i = 1, n
      t(i) = 1/(1 + x(i)*x(i))
    end do
  end subroutine coefficients

  pure real(8) function bounded(a, b)
    real(8), intent(in) :: a, b
    bounded = a*b/(1 + a*a)
  end function bounded

  subroutine tick(a, c)
    real(8), intent(inout) :: a
    real(8), intent(out) :: c
    a = 0.9d0*a*a
    c = a + 0.1d0
  end subroutine tick
end module m
