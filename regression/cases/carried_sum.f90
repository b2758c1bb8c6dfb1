! The adjoint of an element is held in a scalar that every iteration of an inner loop changes: these keep their order,
! whether they hold a loop themselves or not.
module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: z(n)
    integer :: i, j, k
    y = 0.7d0*x
    z = 0.2d0*x
    do i = 1, n
      do j = i, n
        y(i) = 0.8d0*y(i) - 0.3d0*cos(x(j))
      end do
      do j = i, n
        y(i) = 0.9d0*y(i) + 0.3d0*sin(x(j))
      end do
    end do
    do i = 1, n
      do j = 1, n
        z(i) = 0.8d0*z(i) + x(j)*x(i)
        do k = 1, n
          z(i) = z(i) + 0.1d0*x(k)*x(j)*y(k)
        end do
      end do
    end do
    y = y + z
  end subroutine
end module
