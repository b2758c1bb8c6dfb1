! head: m::f(y,z)/(x,p,q)
! size: n=13
! threads: 4
! Iterations of `do concurrent` that add to elements of which others have a part: by index tables, under conditions without which
! there is no element, by private subscripts in inner loops, in two dimensions, of components; what procedures add to small arrays
! and scalars; and neighbours that `max` and `min` keep within bounds, in loops for threads, too.
module m
  implicit none
  type field
    real(8), allocatable :: u(:, :)
  end type field
contains
  pure subroutine cell(a, p, q, r)
    real(8), intent(in) :: a, p(3), q
    real(8), intent(out) :: r
    r = p(1)*a**2 + sin(p(2)*q*a) + p(3)/(1 + a*a)
  end subroutine cell

  pure function near(a, b) result(r)
    real(8), intent(in) :: a(:), b
    real(8) :: r
    integer :: k
    r = 0
    do k = size(a), 1, -1
      r = r*b + a(k)
    end do
  end function near

  subroutine scattered(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, j, k, idx(n)
    real(8) :: s
    idx = [(1 + mod(5*i*i, n), i = 1, n)]
    do concurrent (i = 1:n)
      y(i) = exp(-x(idx(i)))*x(i)
      if (i < n) y(i) = y(i) + sin(x(i + 1))*x(idx(n + 1 - i))
      if (x(i) > 0.3d0) y(i) = y(i)*x(idx(idx(i)))
    end do
    do concurrent (i = n:1:-2)
      s = 0
      do k = 1, 3
        j = idx(1 + mod(i*k, n))
        s = s + sin(x(j))*k
      end do
      if (s > 0) y(i) = y(i)*cos(s)
    end do
  end subroutine scattered

  subroutine planes(n, x, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: z(n, n)
    type(field) :: s
    integer :: i, j, k, idx(n)
    allocate (s%u(n, 3))
    idx = [(1 + mod(3*i, n - 1), i = 1, n)]
    s%u = spread(x, 2, 3)
    z = 0.1d0
    do concurrent (i = 1:n, j = 2:n:3, i /= j)
      z(i, j) = sin(s%u(idx(i), 1 + mod(j, 3)))*s%u(idx(j), 2)
    end do
    do concurrent (i = 1:n)
      do k = 1, 3
        z(i, k) = z(i, k) + s%u(1 + mod(i*7, n), k)*s%u(max(1, i - 1), k) + s%u(min(n, i + 1), k)**2
      end do
    end do
  end subroutine planes

  subroutine clamped(n, p, q, x, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: p(3), q, x(n)
    real(8), intent(inout) :: y(n), z(n, n)
    real(8) :: t
    integer :: i, j
    do concurrent (i = 1:n)
      call cell(x(i), p, q, t)
      y(i) = y(i) + t*p(1)*x(1 + mod(i, 5))
    end do
    do concurrent (i = 1:n)
      y(i) = y(i) + near(x(max(1, i - 2):min(n, i + 2)), x(i)*0.5d0)
    end do
    !$omp parallel do
    do i = 1, n
      y(i) = y(i)*x(max(3, i - 1))*x(min(n - 2, i)) + sin(x(min(max(i - 1, 2) + 1, n)))
    end do
    !$omp parallel do
    do i = 1, n/4
      y(i) = y(i)*near(x(4*i - 3:4*i), x(i))
    end do
    !$omp parallel do collapse(2)
    do j = 1, n
      do i = 1, n
        z(i, j) = z(i, j)*x(max(i - 1, 1))*y(min(j + 1, n))
      end do
    end do
  end subroutine clamped

  subroutine f(n, x, p, q, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), p(3), q
    real(8), intent(out) :: y(n), z(n, n)
    y = 0
    call scattered(n, x, y)
    call planes(n, x, z)
    call clamped(n, p, q, x, y, z)
  end subroutine f
end module m
