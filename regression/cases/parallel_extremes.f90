! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Products, maxima and minima over iterations, zeros among the factors.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, j
    real(8) :: p, q, r, s, a(n)
    do i = 1, n
      a(i) = x(i)*cos(3.0d0*i)
    end do
    p = 1 + x(1)
    q = -1
    r = x(2)
    s = 1
    !$omp parallel do reduction(*: p) reduction(max: q)
    do i = 1, n
      p = p*(0.5d0 + 0.1d0*a(i))
      q = max(q, a(i)*x(i))
    end do
    !$omp parallel do reduction(min: r) private(j)
    do i = 1, n
      do j = 1, 3
        if (a(i)*j < r) r = a(i)*j
      end do
    end do
    !$omp parallel do reduction(*: s)
    do i = 1, 4
      s = s*(x(i) - x(3))
    end do
    !$omp parallel do reduction(max: q)
    do i = 3, 2
      q = max(q, x(i))
    end do
    y = x*p + q*r
    y(1) = y(1) + s
  end subroutine f
end module m
