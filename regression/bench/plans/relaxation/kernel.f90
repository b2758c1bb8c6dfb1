! relaxation: implicit steps of a nonlinear reaction and diffusion, each relaxed until it converges
! head: kernel(f,u)/(u,rate)
! size: n=12 nsteps=4 most=60
subroutine kernel(n, nsteps, most, u, rate, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, nsteps, most
  real(c_double), intent(inout) :: u(n)
  real(c_double), intent(in)    :: rate(n)
  real(c_double), intent(out)   :: f
  real(c_double) :: former(n), next(n), change
  integer :: i, it, k
  do it = 1, nsteps
    former = u
    do k = 1, most
      next(1) = u(1)
      next(n) = u(n)
      do i = 2, n - 1
        next(i) = (former(i) + 0.4d0*(u(i+1) + u(i-1)))/(1.8d0 + rate(i)*u(i)**2)
      end do
      change = 0d0
      do i = 1, n
        change = change + (next(i) - u(i))**2
      end do
      u = next
      if (change < 1d-12) exit
    end do
  end do
  f = 0d0
  do i = 1, n
    f = f + u(i)**2
  end do
end subroutine
