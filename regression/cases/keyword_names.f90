module m
  implicit none
contains
  ! The dummies already use the names that derivatives of `x` would get.
  subroutine scale(x, x_b, x_d)
    real(8), intent(inout) :: x(:)
    real(8), intent(in) :: x_b, x_d
    x = x*x_b + x_d
  end subroutine scale
  elemental function rho(t, s, p)
    real(8), intent(in) :: t, s
    real(8), intent(in), optional :: p
    real(8) :: rho
    rho = 1.0d0 - 0.2d0*t**2 + 0.8d0*s
    if (present(p)) rho = rho*p
  end function rho
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: x_b, y_b
    x_b = 1.5d0 + x(1)
    y_b = x(n)*x(1)
    y = rho(s=x, t=x**2)
    call scale(x_d=y_b, x_b=x_b, x=y)
    y = y + rho(p=y_b, t=y, s=0.5d0)
  end subroutine f
end module m
