! head: m::f(j)/(p)
! size: n=7
! threads: 4
! A fixed point at every point of a parallel loop.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: z, zn, t(n)
    integer :: i
    !$omp parallel do private(z, zn)
    do i = 1, n
      z = 1.0d0
      !$ad fixed-point
      do
        zn = cos(0.5d0*z)*p(i)
        if (abs(zn - z) < 1.0d-15) exit
        z = zn
      end do
      t(i) = z**2*p(n)
    end do
    j = sum(t)
  end subroutine f

end module m
