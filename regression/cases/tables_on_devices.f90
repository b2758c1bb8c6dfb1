! head: m::f(r)/(psi, w)
! head: g(y)/(x, t)
! size: n=7
! acc: host
! Procedures that a device calls, and that add to derivatives which iterations share.
module m
  implicit none
contains
  pure subroutine corners(a, b, i, j, r)
    !$acc routine seq
    real(8), intent(in) :: a(:, :), b(:, :)
    integer, intent(in) :: i, j
    real(8), intent(out) :: r
    r = a(i + 1, j)*b(i, j) - a(i, j + 1)*b(i + 1, j + 1)
  end subroutine
  subroutine f(n, psi, w, r)
    integer, intent(in) :: n
    real(8), intent(in) :: psi(n, n), w(n, n)
    real(8), intent(out) :: r(n, n)
    integer :: i, j
    r = 0
    !$acc parallel loop collapse(2) copyin(psi, w) copy(r)
    do j = 1, n - 1
      do i = 1, n - 1
        call corners(psi, w, i, j, r(i, j))
      end do
    end do
  end subroutine
end module
subroutine g(n, x, t, y)
  implicit none
  interface
    pure subroutine curve(k, t, x, y)
      !$acc routine seq
      integer, intent(in) :: k
      real(8), intent(in) :: t(2000), x
      real(8), intent(out) :: y
    end subroutine
  end interface
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), t(2000)
  real(8), intent(out) :: y(n)
  integer :: i
  !$acc parallel loop copyin(x, t) copyout(y)
  do i = 1, n
    call curve(mod(3*i, n) + 1, t, x(i), y(i))
  end do
end subroutine
pure subroutine curve(k, t, x, y)
  !$acc routine seq
  implicit none
  integer, intent(in) :: k
  real(8), intent(in) :: t(2000), x
  real(8), intent(out) :: y
  y = t(k)*x + t(k + 1)*x**2
end subroutine
