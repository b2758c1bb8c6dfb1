! explicit_steps: 1-D advection and diffusion of a temperature on which its conductivity depends, one step after the other
! head: kernel(f,u)/(u,source)
! size: n=12 nsteps=9
subroutine kernel(n, nsteps, u, source, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, nsteps
  real(c_double), intent(inout) :: u(n)
  real(c_double), intent(in)    :: source(n)
  real(c_double), intent(out)   :: f
  real(c_double) :: flux(n)
  integer :: i, it
  do it = 1, nsteps
    flux(1) = 0d0
    do i = 2, n
      flux(i) = 0.1d0*u(i-1)**2 - 0.05d0*(1d0 + 0.5d0*(u(i) + u(i-1))**2)*(u(i) - u(i-1))
    end do
    do i = 1, n - 1
      u(i) = u(i) - (flux(i+1) - flux(i)) + 0.0001d0*source(i)
    end do
  end do
  f = 0d0
  do i = 1, n
    f = f + u(i)**2
  end do
end subroutine
