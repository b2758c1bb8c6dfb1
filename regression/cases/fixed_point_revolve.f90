! head: m::f(j)/(p)
! size: n=7
! A fixed point in the steps of a loop under a schedule.
module m
  implicit none
contains
  subroutine f(n, p, j)
    integer, intent(in) :: n
    real(8), intent(in) :: p(n)
    real(8), intent(out) :: j
    real(8) :: u(n), v(n), err
    integer :: i, it
    integer :: k
    u = 0.3d0
    j = 0.0d0
    !$ad checkpoint schedule(revolve) snapshots(3)
    do k = 1, 14
      v = u
      call relax(n, u, v, p)
      u = u*(1.0d0 - 0.02d0*u)
      j = j + sum(u**2)*p(2)
    end do
  end subroutine f
  subroutine relax(n, u, v, p)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    real(8), intent(in) :: v(n), p(n)
    real(8) :: w(n)
    integer :: m
    !$ad fixed-point
    do m = 1, 200
      w = v + 0.1d0*sin(u)*p
      if (maxval(abs(w - u)) < 1.0d-15) exit
      u = w
    end do
  end subroutine relax
end module m
