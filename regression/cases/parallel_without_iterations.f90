! Parallel loops without iterations inside others: what they would assign keeps the value that it has, in the backward sweep too.
! head: m::f(y)/(x)
! size: n=5 m=0
! threads: 4
module m
  implicit none
contains
  subroutine f(n, m, x, y)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), b(n), s
    integer :: i, k, p(n)
    a = x**2
    s = 0.3d0
    do i = 1, n
      p(i) = mod(3*i, n) + 1
      b(i) = sin(a(i)*x(1)) + a(2)*s
    end do
    do i = 1, 2
      !$ad parallel strategy(atomic: b)
      !$omp parallel do private(s)
      do k = 1, m
        s = b(p(k))
        a(k) = s*s + a(k)*x(1)
      end do
    end do
    y = a + b
  end subroutine f
end module m
