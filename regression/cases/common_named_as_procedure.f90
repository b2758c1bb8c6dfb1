! head: m::f(y)/(x)
! Common variables have the names of module procedures, in procedures that can't call those; elsewhere the same memory has
! other names, and the procedures are called.
module m
  implicit none
contains
  subroutine put(x)
    real(8), intent(in) :: x(3)
    real(8) :: f(3), half(3)
    common /c/ f, half
    f = x**2
    half = x*f
  end subroutine put
  subroutine half(z)
    real(8), intent(inout) :: z
    z = 0.5d0*z*z
  end subroutine half
  subroutine mix(z)
    real(8), intent(inout) :: z(3)
    real(8) :: a(3), b(3)
    common /c/ a, b
    call half(a(2))
    call inner
    z = z*a + b
  contains
    subroutine inner
      b(1) = b(1)*a(2)
      call half(b(3))
    end subroutine inner
  end subroutine mix
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(1)
    real(8) :: z(3), w(3), v(3)
    common /c/ z, w
    call put(x)
    w(2) = w(2)*z(3)
    v = w*z
    call mix(v)
    y(1) = z(1)*z(2) + sum(w*v)
  end subroutine f
end module m
