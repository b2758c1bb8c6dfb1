! head: m::f(y)/(x)
! do concurrent whose masks read what the iterations assign, and masks of reductions that have to be computed
module m
  implicit none
contains
  pure subroutine put(a, v)
    real(8), intent(inout) :: a
    real(8), intent(in) :: v
    a = v**2
  end subroutine put

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n, 3), z(n)
    logical :: l(n)
    integer :: i, j
    y = [(0.5d0*i, i = 1, n)]
    do concurrent (i = 2:n, y(i - 1) > 0.6d0)
      y(i) = 0.1d0*x(i)**2
    end do
    l = .true.
    z = x
    do concurrent (i = n - 1:1:-1, l(i))
      l(i + 1) = .false.
      z(i) = z(i)*x(i + 1)
    end do
    do concurrent (i = 1:n, z(n + 1 - i) > -9)
      call put(z(i), x(i))
    end do
    a = spread(x, 2, 3)
    do concurrent (i = 1:n, j = 2:3, a(i, j - 1) > -2 .and. mod(i + j, 2) == 0)
      a(i, j) = a(i, j)*j - 5*x(i)**2
    end do
    y = y + z + sum(a, 2)
    ! What the masks are made of is reduced along a dimension.
    y(1) = y(1) + sum(a(1, :)**2, mask=maxval(a, 1) > 0)
    y(2) = y(2) + product(a(2, :), mask=sum(a, 1) > -100) + maxval(a(1, :), mask=norm2(a, 1) > 0)
    y(1:3) = y(1:3)*sum(a**2, 1, mask=spread(sum(a, 1), 1, n) < 1000)
  end subroutine f
end module m
