! head: m::f(y)/(x)
! size: n=4
! internal procedures whose derivatives several derivatives of their host have, each with its own
module m
  implicit none
  real(8) :: g
contains
  subroutine host(a, r)
    real(8), intent(in) :: a(:)
    real(8), intent(inout) :: r
    real(8) :: v
    v = 0.4d0*a(1)
    call inner(r)
    call inner(r)
    g = r
  contains
    subroutine inner(u)
      real(8), intent(inout) :: u
      real(8) :: g
      g = sin(u)
      call outer(u)
      u = u*g + v
      v = cos(v*u)
    end subroutine inner
  end subroutine host
  subroutine outer(v)
    real(8), intent(inout) :: v
    v = sin(v)
  end subroutine outer
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: c(2), s
    c = 0.3d0
    y = 0.7d0*x
    s = x(2)
    call host(0.9d0*y, s)
    y(1) = y(1) + s
    call host(c, y(2))
    call host(x(n:1:-1), y(3))
    y(n) = y(n) + sin(g)*s
  end subroutine f
end module m
