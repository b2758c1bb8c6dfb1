! Work arrays of time steps: each step overwrites what the step before has computed.
module m
  implicit none
contains
  subroutine f(n, nt, x, y)
    integer, intent(in) :: n, nt
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    real(8) :: c(n), g(n), s(n), h, slope
    integer :: i, it

    g = 0.2d0
    h = 0.1d0
    do it = 1, nt
      ! Coefficients, from which come others; the ends of g are never assigned again.
      do i = 1, n
        c(i) = y(i)*y(i)
      end do
      do i = 2, n - 1
        slope = y(i+1) - y(i-1)
        g(i) = x(i)*slope
      end do
      s(1) = 0
      s(n) = x(n)*it
      do i = 2, n - 1
        s(i) = c(i)*x(i)
      end do
      h = 0.1d0*x(1)
      do i = 1, n
        s(i) = s(i)*g(i)*c(i)*h
      end do
      if (x(2) > 0.3d0) then
        c = c*c
        do i = 1, n
          s(i) = s(i) + c(i)*c(i)
        end do
      else
        c = 0.5d0*x
        do i = 1, n
          s(i) = s(i) + c(i)*s(i)
        end do
      end if
      y = y - h*s
    end do
    y = y*g
    g = x
    y = y + g*g
  end subroutine f
end module m
