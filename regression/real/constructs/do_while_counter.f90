! Newton's iteration: only the loop's condition reads the counter and the flag.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i, trip
    integer :: most = 12
    logical :: converged
    real(8) :: r, step
    do i = 1, n
      r = 1d0 + x(i)
      converged = .false.
      trip = 0
      do while ((.not. converged) .and. (trip .lt. most))
        step = (r*r - 2d0 - x(i))/(2d0*r)
        r = r - step
        if (r .le. 0d0) r = 1d-6
        converged = abs(step) .lt. 1d-14
        trip = trip + 1
      end do
      y(i) = r*x(i)
    end do
  end subroutine f
end module m
