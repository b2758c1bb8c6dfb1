! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Elements by index tables: gathers, and scatters whose targets are all different.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k, p(n), q(n)
    real(8) :: a(n), b(n)
    do i = 1, n
      p(i) = n + 1 - i
      q(i) = mod(7*i, n) + 1
    end do
    !$omp parallel do
    do i = 1, n
      a(i) = x(q(i))*x(i)
    end do
    !$omp parallel do private(k)
    do i = 1, n
      k = p(i)
      b(k) = a(i)*a(q(i))
      b(k) = sin(b(k)) + a(k)
    end do
    !$omp parallel do
    do i = 1, n
      b(i) = b(i)*x(1) + x(i)*x(n) - x(1)
    end do
    !$omp parallel do
    do i = 1, n
      y(p(i)) = b(p(i))*x(i)
      if (y(p(i)) > 0.3d0) y(p(i)) = y(p(i))*b(i)
    end do
  end subroutine f
end module m
