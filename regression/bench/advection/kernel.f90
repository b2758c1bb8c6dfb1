! advection: first-order upwind advection with a velocity that varies in space, f = sum(u**2)
subroutine kernel(n, nsteps, c, u, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, nsteps
  real(c_double), intent(in)    :: c(n)
  real(c_double), intent(inout) :: u(n)
  real(c_double), intent(out)   :: f
  real(c_double) :: un(n)
  integer :: i, it
  do it = 1, nsteps
    do i = 2, n
      un(i) = u(i) - c(i)*(u(i) - u(i-1))
    end do
    do i = 2, n
      u(i) = un(i)
    end do
  end do
  f = 0d0
  do i = 1, n
    f = f + u(i)**2
  end do
end subroutine
