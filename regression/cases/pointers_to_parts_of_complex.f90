! head: m::f(y)/(x)
! head: m::g(y)/(x)
! pointers to the real and imaginary parts of complex numbers beside the numbers
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    complex(8), target :: z(2)
    real(8), pointer :: re, im(:)
    z = [cmplx(x(1), x(2), 8), cmplx(x(3), x(4), 8)]
    re => z(1)%re
    re = abs(z(1))*x(2)
    im => z%im
    im = abs(z)
    im(2) = im(2)*real(z(2)*z(1), 8)
    y = [z%re, z%im]
  end subroutine f

  subroutine g(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    complex(8), target :: z
    complex(8), pointer :: p
    z = cmplx(x(1), x(2), 8)
    p => z
    p%im = abs(z)*x(3)
    z%re = abs(p)*x(4)
    y = [z%re, z%im, abs(p), aimag(p*z)]
  end subroutine g
end module m
