! A work array is divided at offsets that stand in an integer array: its elements have known values at the calls.
! head: m::f(y)/(x)
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(6)
    real(8), intent(out) :: y
    real(8) :: w(24)
    integer :: ip(0:3), n
    ip = [1, 7, 0, 0]
    ip(2) = 13
    n = 6
    w = 0
    w(1:6) = x
    call squares(w(ip(0)), w(ip(1)), n)
    ip(3) = 19
    call squares(w(ip(1)), w(ip(2)), n)
    call squares(w(ip(2)), w(ip(3)), n)
    y = w(ip(3)) + w(ip(2)+5)*w(8)
  end subroutine
  subroutine squares(a, b, n)
    integer, intent(in) :: n
    real(8) :: a(n), b(*)
    integer :: i
    do i = 1, n
      b(i) = a(i)**2 + a(1)
    end do
  end subroutine
end module
