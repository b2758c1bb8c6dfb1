module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y = 0.7d0*x
    call fe(0.5d0*abs(y(n:1:-1)) + x, y)
    call fe(y(n:1:-1)**2, y)
    call fe(y*y, y)
    call fe(0.5d0*cshift(y, -2), y)
    call fe(1.5d0*y(2), y)
    call fe(0.1d0*sum(y), y)
  end subroutine f
  elemental subroutine fe(u, v)
    real(8), intent(in) :: u
    real(8), intent(inout) :: v
    v = sin(v*u)
  end subroutine fe
end module m
