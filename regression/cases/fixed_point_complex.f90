! head: m::f(j)/(p)
! size: n=5
! A complex fixed point.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    complex(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    complex(8) :: z(n), w(n)
    integer :: it
    z = 0.0d0
    !$ad fixed-point
    do it = 1, 300
      w = 0.3d0*sin(z) + p*(0.2d0, 0.1d0)
      if (maxval(abs(w - z)) < 1.0d-15) exit
      z = w
    end do
    j = sum(real(z)*aimag(z)) + real(z(1))
  end subroutine f
end module m
