! head: m::f(j)/(p)
! size: n=7
! A fixed point in every step of a time loop.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n), v(n), err
    integer :: i, it
    u = 0.1d0
    j = 0.0d0
    do it = 1, 12
      v = u
      err = 1.0d0
      !$ad fixed-point
      do while (err > 1.0d-15)
        err = 0.0d0
        do i = 1, n
          err = max(err, abs(v(i) + 0.2d0*(0.5d0*sin(u(i)) - p(i)*u(i)**2) - u(i)))
          u(i) = v(i) + 0.2d0*(0.5d0*sin(u(i)) - p(i)*u(i)**2)
        end do
      end do
      j = j + sum(u**2)*p(1)
    end do
  end subroutine f

end module m
