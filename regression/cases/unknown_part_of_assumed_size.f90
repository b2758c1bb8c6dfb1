! It isn't known how many columns of `w` the called procedure changes, and `w` has no size.
! head: m::f(y)/(x)
! size: n=2
! refused: C0410 at 18
module m
  implicit none
contains
  subroutine squares(n, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    a = a*a
  end subroutine squares
  subroutine g(n, w)
    integer, intent(inout) :: n
    real(8), intent(inout) :: w(n,*)
    w(1,1) = sin(w(1,1))
    n = n - 1
    call squares(n, w(1,2))
    w(2,2) = w(1,2)*w(1,1)
  end subroutine g
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(2*n)
    real(8), intent(out) :: y(2*n)
    integer :: k
    k = n
    y = x
    call g(k, y)
  end subroutine f
end module m
