! maxval and minval: of expressions, masked, along a dimension, of nothing, of what changes from step to step.
module m
  implicit none
contains
  elemental real(8) function g(t)
    real(8), intent(in) :: t

    g = t*t - 0.3d0*t
  end function g

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(8)
    real(8) :: a(n, 3), r(3), c(n), z(0:n)
    integer :: i, k

    do i = 1, 3
      a(:, i) = x*sin(real(i, 8)*x)
    end do
    y(1) = maxval(a)
    y(2) = minval(x*a(:, 2), x > 0.2d0)
    r = maxval(a, 1)
    y(3) = r(1)*r(2) + r(3)
    c = minval(a, dim=2, mask=a > 0.1d0)
    y(4) = sum(merge(0d0, c, c > 1d100))
    y(5) = maxval(g(x))
    y(6) = x(1)
    if (maxval(x(1:0)) > -huge(1d0)) y(6) = 0d0
    z(0) = 0.5d0
    z(1:n) = x
    do k = 1, 3
      z = z*z + maxval(z)*0.1d0
    end do
    y(7) = maxval(z) - minval(z(1:n:2))
    y(8) = maxval(x, mask=.false.)*0d0 + maxval(abs(a(:, 1:2)))
  end subroutine f
end module m
