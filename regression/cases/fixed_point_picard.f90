! head: m::f(j)/(p)
! size: n=7
! Picard iterations around a tridiagonal solver that is written out.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n), nu(n), l(n), d(n), r(n), b(n), m, old(n)
    integer :: i, it
    u = 1.0d0
    !$ad fixed-point
    do it = 1, 500
      old = u
      do i = 1, n
        nu(i) = 1.0d0/(0.5d0 + u(i)**2)**0.3d0
      end do
      do i = 1, n
        l(i) = -nu(i)
        r(i) = -nu(min(i+1, n))
        d(i) = 2.5d0*nu(i) + nu(min(i+1, n)) + p(i)**2
        b(i) = 1.0d0 + p(i)
      end do
      do i = 2, n
        m = l(i)/d(i-1)
        d(i) = d(i) - m*r(i-1)
        b(i) = b(i) - m*b(i-1)
      end do
      u(n) = b(n)/d(n)
      do i = n-1, 1, -1
        u(i) = (b(i) - r(i)*u(i+1))/d(i)
      end do
      if (maxval(abs(u - old)) < 1.0d-15) exit
    end do
    j = sum(u**2)
  end subroutine f

end module m
