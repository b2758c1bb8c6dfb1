! A time loop under a schedule in a block construct.
! head: m::f(y)/(x)
! size: n=4
module m
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y = x
    block
      integer :: k
      !$ad checkpoint schedule(revolve) snapshots(3)
      do k = 1, 11
        y = y + 0.1d0*sin(y*x)
      end do
    end block
  end subroutine
end module
