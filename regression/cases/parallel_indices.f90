! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Private indices that an iteration computes once from its number, or from a table; those that it changes are none of these.
module m
  implicit none
contains
  subroutine listed(n, list, x, y)
    integer, intent(in) :: n, list(n)
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: k, i, next, q, map(n)
    map = list
    !$omp parallel do private(i, next, q)
    do k = 1, n
      i = map(k)
      next = mod(i, n) + 1
      q = k
      y(i) = y(i)*x(i)**2 + x(next)*q
      q = q + 1
      if (q > 3) y(i) = y(i)*x(next)
    end do
    map = n + 1 - map
    !$omp parallel do private(i)
    do k = 1, n
      i = map(k)
      if (i == 0) cycle
      y(i) = sin(y(i))*x(i)
    end do
  end subroutine listed
  subroutine changed(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, k, j, c, w(3)
    !$omp parallel do private(i, j, w, c)
    do k = 1, n
      w(1) = n + 1 - k
      w(2) = k
      i = w(1)
      w(1) = w(2)
      do j = 1, 2
        c = mod(j + k, n) + 1
        y(i) = y(i)*x(c) + x(w(1))
        if (x(c) > 0.7d0) y(i) = y(i)**2
      end do
    end do
  end subroutine changed
  subroutine periodic(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: a(n, 3), b(n, 3)
    integer :: i, j, ip, im, jp
    do j = 1, 3
      a(:, j) = x*j
    end do
    !$omp parallel do private(i, ip, im, jp) default(none) shared(n, a, b)
    do j = 1, 3
      jp = mod(j, 3) + 1
      do i = 1, n
        ip = mod(i, n) + 1
        im = mod(i - 2 + n, n) + 1
        b(i, j) = a(i, j)*(a(ip, j) - a(im, j)) + a(i, jp)**2
      end do
    end do
    y = y*(b(:, 1) + b(:, 2) + b(:, 3))
  end subroutine periodic
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: list(n), k
    real(8) :: a(n), b(n)
    do k = 1, n
      list(k) = n + 1 - k
    end do
    y = x
    a = x
    b = x
    call listed(n, list, x, y)
    call changed(n, x, a)
    call periodic(n, x, b)
    y = y + a + b
  end subroutine f
end module m
