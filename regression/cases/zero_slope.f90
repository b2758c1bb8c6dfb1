! Roots and angles at points where their own derivative is infinite or undefined, behind clipping that makes it zero.
module m
  implicit none

contains

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: clipped, day_length, wind, u, v
    integer :: i

    do i = 1, n
      clipped = max(0.0d0, x(i) - 10.0d0)
      day_length = acos(min(1.0d0, max(-1.0d0, 3.0d0 + x(i)**2)))
      u = clipped*x(i)
      v = 2.0d0*clipped
      wind = sqrt(u**2 + v**2)
      y(i) = x(i)**2 + sqrt(clipped) + clipped**0.7d0 + day_length + wind
      y(i) = y(i) + atan2(u, v) + hypot(u, v) + asin(1.0d0 - clipped)
    end do
  end subroutine f

end module m
