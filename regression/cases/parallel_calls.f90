! head: m::f(y)/(x)
! size: n=24
! threads: 4
! Procedures that are called in loops: pure ones, columns, coefficients that all calls share.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(4, n), c(4), s
    integer :: i
    do i = 1, n
      a(:, i) = x(i)*[1, 2, 3, 4]
    end do
    c = x(1:4)
    !$omp parallel do
    do i = 1, n
      call column(4, a(:, i), c, y(i))
    end do
    !$omp parallel do private(s)
    do i = 1, n
      call one(y(i), s)
      y(i) = s*weight(x(i), c(2))
    end do
  end subroutine f

  subroutine column(k, a, c, r)
    integer, intent(in) :: k
    real(8), intent(inout) :: a(k)
    real(8), intent(in) :: c(k)
    real(8), intent(out) :: r
    real(8) :: w(k)
    integer :: j
    w = a*c
    do j = 2, k
      a(j) = a(j)*w(j - 1) + a(j - 1)
    end do
    r = 0
    do j = 1, k
      r = r + a(j)*a(j)*c(j)
    end do
  end subroutine column

  pure subroutine one(a, b)
    real(8), intent(in) :: a
    real(8), intent(out) :: b
    b = sin(a)*a
  end subroutine one

  pure real(8) function weight(a, b) result(r)
    real(8), intent(in) :: a, b
    r = a*b + a**2
  end function weight
end module m
