! head: m::f(y,s)/(x,w,c)
! size: n=30
! threads: 4
! What directives ask for the increments of derivatives in the derivative of a parallel loop: of one loop, of single
! variables, of both directives of a loop in either order, and of loops in each other.
module m
  implicit none
contains
  subroutine f(n, x, w, c, table, y, s)
    integer, intent(in) :: n, table(n)
    real(8), intent(in) :: x(n), w(n), c
    real(8), intent(out) :: y(n), s
    real(8) :: z(n), q(n)
    integer :: i, k, j
    !$ad parallel strategy(atomic)
    !$omp parallel do
    do i = 2, n - 1
      y(i) = x(i - 1)*w(i) + sin(c*x(i + 1))
    end do
    y(1) = x(1)
    y(n) = x(n)
    !$omp parallel do private(k)
    !$ad parallel strategy(reduction: x) strategy(atomic: w)
    do i = 1, n
      k = 1 + mod(abs(table(i)), n)
      z(i) = x(k)*w(k) + y(i)
    end do
    !$omp parallel
    !$ad parallel strategy(serial)
    !$omp do private(k)
    do i = 1, n
      k = 1 + mod(i*7, n)
      q(i) = z(i)*y(k)
    end do
    !$omp end do
    ! The loop runs over each index once.
    !$ad parallel strategy(shared: q), strategy(gather)
    !$omp do private(k, j)
    do i = 1, n
      k = n + 1 - i
      z(i) = z(i) + q(k)*x(i)
      do j = 1, 3
        z(i) = z(i)*w(i)
      end do
    end do
    !$omp end do
    !$omp end parallel
    s = 0
    !$ad parallel strategy(atomic: c)
    !$omp parallel do reduction(+: s)
    do i = 1, n
      s = s + z(i)*c
      y(i) = y(i)*z(i)
    end do
  end subroutine f
end module m
