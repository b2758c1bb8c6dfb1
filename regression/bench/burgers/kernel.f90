! burgers: 1-D viscous Burgers equation, central differences in conservation form, f = sum(u**2)
subroutine kernel(n, nsteps, u, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, nsteps
  real(c_double), intent(inout) :: u(n)
  real(c_double), intent(out)   :: f
  real(c_double) :: un(n), c, d
  integer :: i, it
  c = 0.05d0
  d = 0.2d0
  do it = 1, nsteps
    do i = 2, n-1
      un(i) = u(i) - c*(u(i+1)**2 - u(i-1)**2) + d*(u(i+1) - 2d0*u(i) + u(i-1))
    end do
    do i = 2, n-1
      u(i) = un(i)
    end do
  end do
  f = 0d0
  do i = 1, n
    f = f + u(i)**2
  end do
end subroutine
