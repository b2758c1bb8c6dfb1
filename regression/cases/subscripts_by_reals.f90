! Elements that are found by real numbers, which are overwritten behind.
! head: m::f(y,z)/(x,w,y)
! size: n=6
module m
  implicit none
contains
  subroutine f(x, w, y, z, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), w(n)
    real(8), intent(inout) :: y(n + 1)
    real(8), intent(out) :: z(n)
    integer :: i
    real(8) :: v(n)
    do i = 1, n
      v(i) = n + 1 - i
    end do
    do i = 1, n
      y(nint(v(i))) = y(nint(v(i)))*x(i)
      v(i) = n + 1
      z(i) = y(nint(v(i)))*w(i)
    end do
  end subroutine
end module
