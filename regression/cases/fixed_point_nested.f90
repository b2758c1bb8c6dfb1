! head: m::f(j)/(p)
! size: n=7
! A fixed point in the iteration of another one.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n), s, sn, err, un
    integer :: i
    u = 0.5d0
    err = 1.0d0
    !$ad fixed-point
    do while (err > 1.0d-14)
      err = 0.0d0
      do i = 1, n
        s = 0.3d0
        !$ad fixed-point
        do
          sn = 0.4d0*cos(s) + 0.2d0*u(i)*p(i)
          if (abs(sn - s) < 1.0d-15) exit
          s = sn
        end do
        un = 0.5d0*s + 0.1d0*p(i)
        err = max(err, abs(un - u(i)))
        u(i) = un
      end do
    end do
    j = sum(u**2)
  end subroutine f

end module m
