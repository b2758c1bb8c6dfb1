! head: m::f(y)/(x)
! size: n=14
! threads: 4
! Levels of time that are apart, elements under conditions, stencils with private scalars, and loops that stay apart from serial
! ones.
module m
  implicit none
contains
  subroutine levels(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, t, old, new, k
    real(8) :: u(n, 0:1), v(n, 3), w(n, 2)
    u(:, 0) = x
    u(:, 1) = x
    v(:, 1) = x
    v(:, 2) = x
    v(:, 3) = x
    w(:, 1) = x
    w(:, 2) = x
    old = 1
    new = 2
    do t = 1, 4
      !$omp parallel do
      do i = 2, n - 1
        u(i, mod(t, 2)) = u(i, mod(t - 1, 2))*0.5d0 + 0.2d0*(u(i - 1, mod(t - 1, 2))**2 + u(i + 1, mod(t - 1, 2)))
      end do
      !$omp parallel do
      do i = 2, n - 1
        v(i, modulo(t + 2, 3) + 1) = v(i, modulo(t + 1, 3) + 1) + 0.1d0*v(i, modulo(t, 3) + 1)*v(i - 1, modulo(t + 1, 3) + 1)
      end do
      !$omp parallel do
      do i = 2, n - 1
        w(i, new) = w(i, old)*0.5d0 + w(i - 1, old)*w(i + 1, old)
      end do
      k = old
      old = new
      new = k
    end do
    y = y + u(:, 0)*u(:, 1) + v(:, 1)*v(:, 2)*v(:, 3) + w(:, old)*w(:, new)
  end subroutine levels
  subroutine masked(n, p, x, y)
    integer, intent(in) :: n, p(n)
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: s(n, n), t, d(2)
    integer :: i, j, c
    !$omp parallel do
    do i = 1, n
      if (x(i) > 0.6d0) y(p(i)) = y(p(i))**2 + x(p(i))
    end do
    do j = 1, n
      s(:, j) = x*y(j)
    end do
    do c = 0, 1
      !$omp parallel do private(t, d)
      do j = 2, n - 1
        do i = 2, n - 1
          if (mod(i + j, 2) == c) then
            d(1) = s(i - 1, j)*s(i + 1, j)
            d(2) = s(i, j - 1) + s(i, j + 1)
            t = sin(d(1)) + d(2)
            s(i, j) = s(i, j)*0.5d0 + 0.1d0*t
          end if
        end do
      end do
    end do
    do i = 1, n
      y(i) = y(i) + sum(s(:, i))
    end do
  end subroutine masked
  subroutine heat(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: u(n, n), un(n, n), k, v(n, n), w(n), s
    integer :: i, j, t
    do j = 1, n
      u(:, j) = x*x(j)
    end do
    do t = 1, 2
      un = u
      !$omp parallel do private(i, k)
      do j = 2, n - 1
        do i = 2, n - 1
          k = 0.1d0*(1 + un(i, j)**2)
          u(i, j) = un(i, j) + k*(un(i - 1, j) + un(i + 1, j) + un(i, j - 1) + un(i, j + 1) - 4*un(i, j))
        end do
      end do
    end do
    w = 0
    do j = n, 1, -1
      !$omp parallel do
      do i = 1, n
        w(i) = u(i, j)*(1 - w(i))
        v(i, j) = w(i)
      end do
    end do
    s = 0
    !$omp parallel do collapse(2) reduction(+: s)
    do j = 1, n
      do i = 1, n
        s = s + v(i, j)
      end do
    end do
    y = y*s
  end subroutine heat
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: p(n), i
    real(8) :: a(n), b(n)
    do i = 1, n
      p(i) = n + 1 - i
    end do
    y = x
    a = x
    b = x
    call levels(n, x, y)
    call masked(n, p, x, a)
    call heat(n, x, b)
    y = y + a + b
  end subroutine f
end module m
