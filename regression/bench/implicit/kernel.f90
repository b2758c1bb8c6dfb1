! implicit: implicit steps of diffusion whose coefficient depends on the state, with a tridiagonal solve each
subroutine kernel(n, nsteps, u, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, nsteps
  real(c_double), intent(inout) :: u(n)
  real(c_double), intent(out)   :: f
  real(c_double) :: k(n), dl(n-1), d(n), du(n-1)
  integer :: it, i, info
  do it = 1, nsteps
    do i = 1, n
      k(i) = 0.5d0 + u(i)**2
    end do
    d(1) = 1d0
    d(n) = 1d0
    du(1) = 0d0
    dl(n-1) = 0d0
    do i = 2, n - 1
      dl(i-1) = -0.5d0*(k(i-1) + k(i))
      du(i) = -0.5d0*(k(i) + k(i+1))
      d(i) = 1d0 - dl(i-1) - du(i)
    end do
    call dgtsv(n, 1, dl, d, du, u, n, info)
  end do
  f = sum(u**2)
end subroutine
