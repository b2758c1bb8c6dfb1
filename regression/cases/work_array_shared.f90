! An internal procedure uses the host's array: it is no work array of the loop around the call.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n)
    integer :: i, k
    y = 0
    a = 0.3d0*x
    do i = 1, n
      do k = 1, 2
        call step(i, x(k))
      end do
    end do
    y = y + a
  contains
    subroutine step(last, u)
      integer, intent(in) :: last
      real(8), intent(in) :: u
      integer :: j
      do j = 1, last
        a(j) = a(j)*cos(a(1)) + 0.1d0*u
      end do
    end subroutine
  end subroutine
end module
