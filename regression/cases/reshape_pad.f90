module m
  implicit none
  integer, parameter :: rows_first(2) = [2, 1]
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(3, n), b(n, 2), c(2, 2, n), d(3, 3)
    real(8), allocatable :: e(:, :)

    y = x
    ! Fewer elements than asked for, one element or several to go on with.
    a = reshape(x**2, [3, n], pad=[y(1)])
    b = reshape(a(:, 1:2), [n, 2], pad=[y(2), 3.0d0, y(1)*y(3)])
    c = reshape(b, shape(c), pad=a, order=[3, 1, 2])
    d = reshape(x(:5), [3, 3], pad=x(6:7), order=rows_first)
    ! More elements than asked for.
    e = reshape(source=c, shape=[2, 2], pad=[0.0d0], order=rows_first)
    y(1:4) = reshape(matmul(e, d(:2, 2:)), [4])*y(:4)
    y = y + sum(a, dim=1) + sum(c(1, :, :), dim=1)
    ! What is read is what changes.
    y = reshape(y(3:), [n], pad=y(n:1:-1))
    y = y + sum(b)
  end subroutine f
end module m
