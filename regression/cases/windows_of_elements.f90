! head: m::f(y)/(x)
! head: m::g(y)/(x)
! head: m::h(y)/(x)
! size: n=9
! threads: 4
! Elements that stand for windows, or for columns behind them.
module m
  implicit none
contains
  subroutine three(a, r)
    real(8), intent(in) :: a(3)
    real(8), intent(inout) :: r
    r = r + a(1)*a(2) - a(3)**2
  end subroutine
  subroutine move(k, a)
    integer, intent(in) :: k
    real(8), intent(inout) :: a(k)
    a(1) = a(k)*a(1)
  end subroutine
  subroutine columns(n, a, r)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, 2)
    real(8), intent(out) :: r
    integer :: i
    r = 0
    do i = 1, n
      r = r + a(i, 1)*a(n + 1 - i, 2)
    end do
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    y = x
    !$omp parallel do
    do i = 1, n - 2
      call three(x(i), y(i))
    end do
    !$omp parallel do
    do i = 1, n/3
      call three(x(3*i - 2), y(3*i))
    end do
  end subroutine
  subroutine g(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    y = x
    !$omp parallel do
    do i = 1, n - 2, 3
      call move(3, y(i))
    end do
    !$omp parallel do
    do i = 1, n, 2
      call move(1, y(i))
    end do
  end subroutine
  subroutine h(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: w(n, n + 1)
    integer :: i
    do i = 1, n + 1
      w(:, i) = x*i
    end do
    !$omp parallel do
    do i = 1, n
      call columns(n, w(1, i), y(i))
    end do
  end subroutine
end module
