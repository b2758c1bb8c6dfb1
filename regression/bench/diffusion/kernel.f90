! diffusion: explicit 1-D nonlinear diffusion, u_t = (k(u) u_x)_x with k(u) = 0.1 + u**2, f = sum(u**2)
subroutine kernel(n, nsteps, u, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, nsteps
  real(c_double), intent(inout) :: u(n)
  real(c_double), intent(out)   :: f
  real(c_double) :: un(n), r
  integer :: i, it
  r = 0.1d0
  do it = 1, nsteps
    do i = 2, n-1
      un(i) = u(i) + r*((0.1d0 + (0.5d0*(u(i) + u(i+1)))**2)*(u(i+1) - u(i)) &
                      - (0.1d0 + (0.5d0*(u(i-1) + u(i)))**2)*(u(i) - u(i-1)))
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
