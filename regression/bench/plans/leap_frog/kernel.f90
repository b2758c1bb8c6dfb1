! leap_frog: 1-D shallow water with leap-frog steps and the filter of Robert (1966) and Asselin (1972)
! head: kernel(f,u,h)/(u,h)
! size: n=12 nsteps=9
subroutine kernel(n, nsteps, u, h, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, nsteps
  real(c_double), intent(inout) :: u(n), h(n)
  real(c_double), intent(out)   :: f
  real(c_double), dimension(n) :: u_old, h_old, u_new, h_new
  real(c_double), parameter :: c = 0.05d0, filter = 0.05d0
  integer :: i, it
  u_old = u
  h_old = h
  do it = 1, nsteps
    u_new(1) = 0d0
    u_new(n) = 0d0
    h_new(1) = h(1)
    h_new(n) = h(n)
    do i = 2, n - 1
      u_new(i) = u_old(i) - c*(u(i)*(u(i+1) - u(i-1)) + h(i+1) - h(i-1)) &
               + 0.1d0*(u_old(i+1) - 2d0*u_old(i) + u_old(i-1))
      h_new(i) = h_old(i) - c*(h(i+1)*u(i+1) - h(i-1)*u(i-1)) + 0.1d0*(h_old(i+1) - 2d0*h_old(i) + h_old(i-1))
    end do
    u_old = u + filter*(u_new - 2d0*u + u_old)
    h_old = h + filter*(h_new - 2d0*h + h_old)
    u = u_new
    h = h_new
  end do
  f = 0d0
  do i = 1, n
    f = f + u(i)**2 + h(i)**2
  end do
end subroutine
