! head: m::f(y)/(x)
! dim= as a named constant or an expression of such
module m
  implicit none
  integer, parameter :: columns = 2
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    integer, parameter :: rows = columns - 1
    real(8) :: a(2, 2), b(2, 2)
    a = reshape(x, [2, 2])
    y = sum(a, dim=columns)*maxval(a, rows)
    b = cshift(a, 1, dim=rows)
    y = y + product(b, dim=3 - columns) + sum(spread(x(1:2), columns, 3), dim=columns)
    b = eoshift(a**2, 1, dim=columns)
    y = y + minval(b, dim=rows) + count(b > 0.1d0, dim=columns)*x(1)
  end subroutine f
end module m
