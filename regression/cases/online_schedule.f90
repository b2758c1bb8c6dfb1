! A fixed point, with some relaxation in every step but the last, under an online schedule.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: u(n), old(n)
    integer :: i, left
    u = 0.1d0*x
    left = 20
    ! Until there is no change.
    !$ad checkpoint schedule(online) snapshots(4)
    do
      old = u
      do i = 2, n - 1
        u(i) = 0.25d0*(old(i-1) + 2*old(i) + old(i+1)) + 0.1d0*sin(x(i))
      end do
      left = left - 1
      if (maxval(abs(u - old)) < 1d-9 .or. left == 0) exit
      u(1) = 0.9d0*u(1) + 0.1d0*u(2)**2
    end do
    y = u*x
  end subroutine
end module
