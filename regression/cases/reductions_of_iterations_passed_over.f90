! head: m::clauses(y, z)/(x)
! head: m::by_hand(y)/(x)
! head: m::winners(y)/(x)
! size: n=7
! threads: 4
! Iterations that `cycle` passes over leave maxima, products and last values as they are; each thread puts its own together by
! hand.
module m
  implicit none
contains
  subroutine clauses(n, x, y, z)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(3), z
    real(8) :: largest, product, last, t
    integer :: i, k
    largest = -1d0
    product = 1d0
    last = 0d0
    !$omp parallel do private(t, k) reduction(max: largest) reduction(*: product) lastprivate(last)
    outer: do i = 1, n
      last = x(i)**2
      if (mod(i, 3) == 1) cycle
      t = x(i)*sin(x(i))
      largest = max(largest, t)
      do k = 1, 3
        if (k == mod(i, 4)) cycle outer
        product = product*(1d0 + 0.1d0*k*t)
      end do
      last = last*t
    end do outer
    y = [largest, product, 2*last]
    z = largest*product
  end subroutine
  subroutine by_hand(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(3)
    real(8) :: mine, least, factor
    integer :: i
    y = [-1d3, 1d3, 1d0]
    !$omp parallel private(mine, least, factor)
    mine = -1d3
    least = 1d3
    factor = 1d0
    !$omp do
    do i = 1, n
      if (mod(i, 4) == 2) cycle
      mine = max(x(i)*cos(x(i)), mine)
      if (least > x(i)**3) least = x(i)**3
      factor = (1d0 + 0.2d0*x(i))*factor
    end do
    !$omp end do
    !$omp critical
    y(1) = max(y(1), mine)
    y(2) = min(least, y(2))
    y(3) = y(3)*factor
    !$omp end critical
    !$omp end parallel
  end subroutine
  subroutine winners(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: best, scaled(n)
    integer :: i
    best = 0d0
    !$omp parallel private(i) shared(best, scaled, x, y)
    !$omp do
    do i = 1, n
      y(i) = 0.5d0
    end do
    !$omp end do
    block
      real(8) :: own
      own = 0d0
      !$omp do schedule(static, 2)
      do i = 1, n
        scaled(i) = x(i)*(1d0 + x(i))
        if (scaled(i) >= own) own = scaled(i)
      end do
      !$omp end do nowait
      !$omp critical (largest)
      if (own > best) best = own
      !$omp end critical (largest)
    end block
    !$omp barrier
    !$omp do
    do i = 1, n
      y(i) = y(i) + scaled(i)/best
    end do
    !$omp end do
    !$omp end parallel
  end subroutine
end module
