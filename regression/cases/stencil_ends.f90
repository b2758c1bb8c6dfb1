! Stencils on grids down to the smallest, where the ends of the adjoint's gathered loops meet.
module m
  implicit none
contains
  subroutine f(n, steps, c, u, y)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: c(n)
    real(8), intent(inout) :: u(n)
    real(8), intent(out) :: y(n)
    real(8) :: un(n), w(n, n)
    integer :: i, j, it
    do it = 1, steps
      do i = 2, n - 1
        un(i) = u(i)*u(i-1) + 0.3d0*u(i+1)**2 - c(i)*u(i)
      end do
      do i = 2, n - 1
        u(i) = un(i)
      end do
    end do
    do i = 3, n - 1
      y(i) = u(i-2)*u(i) + c(i+1)*u(i-1)
    end do
    do i = 1, min(2, n)
      y(i) = u(i)**2
    end do
    if (n > 2) y(n) = sin(u(n))
    do j = 1, n
      do i = 1, n
        w(i, j) = u(i)*c(j)
      end do
    end do
    do j = 2, n - 1
      do i = 2, n - 1
        y(i) = y(i) + 0.1d0*(w(i+1, j) + w(i-1, j) + w(i, j-1)*w(i, j+1))
      end do
    end do
  end subroutine f
end module m
