! sweep: five-point 2-D heat sweeps, un from u and back, f = sum(u**2)
subroutine kernel(n, nsteps, u, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, nsteps
  real(c_double), intent(inout) :: u(n,n)
  real(c_double), intent(out)   :: f
  real(c_double) :: un(n,n), r
  integer :: i, j, it
  r = 0.2d0
  do it = 1, nsteps
    do j = 2, n-1
      do i = 2, n-1
        un(i,j) = u(i,j) + r*(u(i+1,j) + u(i-1,j) + u(i,j+1) + u(i,j-1) - 4d0*u(i,j))
      end do
    end do
    do j = 2, n-1
      do i = 2, n-1
        u(i,j) = un(i,j)
      end do
    end do
  end do
  f = 0d0
  do j = 1, n
    do i = 1, n
      f = f + u(i,j)**2
    end do
  end do
end subroutine
