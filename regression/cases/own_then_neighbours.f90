! head: a(un, err)/(u)
! head: b(u, w)/(u, c)
! head: c(y, s)/(x, y)
! head: d(u, r)/(u, k)
! size: n=7 m=3
! value: m=3
! acc: host
! On a device: what iterations add to their neighbours' derivatives is what they have in derivatives of their own, after these
! have grown themselves; with residuals, in branches, and where what is added is from before that.
module m
  implicit none
contains
  subroutine a(u, un, err, n)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n, n)
    real(8), intent(out) :: un(n, n), err
    integer :: i, j
    un = 0
    err = 0
    !$acc parallel loop collapse(2) reduction(+: err)
    do j = 2, n - 1
      do i = 2, n - 1
        un(i, j) = 0.25d0*(u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1))
        err = err + (un(i, j) - u(i, j))**2
      end do
    end do
  end subroutine
  ! In a time loop, with a coefficient, and weights of the residual that depend on the value.
  subroutine b(u, c, w, n, m)
    integer, intent(in) :: n, m
    real(8), intent(in) :: c(n)
    real(8), intent(inout) :: u(n)
    real(8), intent(out) :: w
    real(8) :: un(n), t
    integer :: i, it
    w = 0
    !$acc data copy(u) copyin(c) create(un)
    do it = 1, m
      !$acc parallel loop private(t) reduction(+: w)
      do i = 2, n - 1
        t = c(i)*(u(i+1) - u(i-1))
        un(i) = u(i) - t
        if (un(i) > 0.3d0) then
          w = w + un(i)**3*t
        else
          w = w + sin(un(i))
        end if
      end do
      !$acc parallel loop
      do i = 2, n - 1
        u(i) = un(i)
      end do
    end do
    !$acc end data
  end subroutine
  ! The derivative of y is used, grows, and is used again.
  subroutine c(x, y, s, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8), intent(out) :: s
    real(8) :: z(n)
    integer :: i
    s = 0
    z = 0
    !$acc parallel loop reduction(+: s)
    do i = 2, n - 1
      z(i) = x(i-1)*x(i+1)
      y(i) = z(i)*x(i) + x(i-1)
      s = s + z(i)**2*y(i)
    end do
    y(1) = y(1) + z(3)
  end subroutine
  subroutine d(u, k, r, n)
    integer, intent(in) :: n
    real(8), intent(in) :: k(n, n)
    real(8), intent(inout) :: u(n, n)
    real(8), intent(out) :: r
    real(8) :: f(n, n), g(n, n)
    integer :: i, j
    f = 0
    g = 0
    r = 0
    !$omp target teams distribute parallel do collapse(2) map(tofrom: f, g, r) map(to: u, k) reduction(+: r)
    do j = 1, n - 1
      do i = 1, n - 1
        if (k(i, j) > 0.4d0) then
          f(i, j) = k(i, j)*(u(i+1, j) - u(i, j))
        end if
        g(i, j) = k(i, j)*(u(i, j+1) - u(i, j)) + 0.1d0*f(i, j)
        r = r + f(i, j)**2 + g(i, j)*u(i, j)
      end do
    end do
    !$omp target teams distribute parallel do collapse(2) map(tofrom: u) map(to: f, g)
    do j = 2, n - 1
      do i = 2, n - 1
        u(i, j) = u(i, j) + 0.2d0*(f(i, j) - f(i-1, j) + g(i, j) - g(i, j-1))
      end do
    end do
  end subroutine
end module
