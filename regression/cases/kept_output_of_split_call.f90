! head: m::f(y)/(x)
! size: n=5
! calls: split
! a forward half that runs again in the backward sweep assigns an output, which the primal then changes
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y = he(atan2(0.3d0*x, 2d0 + x(n:1:-1)**2))
    y(1) = y(1) + 0.2d0*sin(x(1))
  end subroutine f
  elemental function he(u) result(g)
    real(8), intent(in) :: u
    real(8) :: g, s
    s = sin(u)
    g = s*cos(u)
  end function he
end module m
