! Doubles that pass through variables, arguments and conversions of single precision.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(4) :: t, s
    integer :: i
    s = 0.0
    do i = 1, n
      t = real(x(i), 4)
      s = s + t**2
      y(i) = dble(t)*x(i) + sngl(x(n+1-i))*0.5
    end do
    call scale(n, s, y)
    y = y + 0.1d0*half(x)
  end subroutine f

  subroutine scale(n, s, y)
    integer, intent(in) :: n
    real, intent(in) :: s
    real(8), intent(inout) :: y(n)
    y = y*sin(s)
  end subroutine scale

  elemental function half(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r
    r = 0.5d0*real(a*a, 4)
  end function half
end module m
