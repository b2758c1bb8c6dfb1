! tridiagonal: implicit steps of 1-D diffusion whose coefficients depend on the state; each solves a tridiagonal system
! head: kernel(f,u)/(u,k)
! size: n=12 nsteps=9
module tridiagonal
  use iso_c_binding, only: c_int, c_double
  implicit none
contains
  subroutine solve(n, lower, diagonal, upper, x)
    integer(c_int), intent(in)    :: n
    real(c_double), intent(in)    :: lower(n), diagonal(n), upper(n)
    real(c_double), intent(inout) :: x(n)
    real(c_double) :: c(n), pivot
    integer :: i
    c(1) = upper(1)/diagonal(1)
    x(1) = x(1)/diagonal(1)
    do i = 2, n
      pivot = diagonal(i) - lower(i)*c(i-1)
      c(i) = upper(i)/pivot
      x(i) = (x(i) - lower(i)*x(i-1))/pivot
    end do
    do i = n - 1, 1, -1
      x(i) = x(i) - c(i)*x(i+1)
    end do
  end subroutine
end module

subroutine kernel(n, nsteps, u, k, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  use tridiagonal, only: solve
  implicit none
  integer(c_int), intent(in)    :: n, nsteps
  real(c_double), intent(inout) :: u(n)
  real(c_double), intent(in)    :: k(n)
  real(c_double), intent(out)   :: f
  real(c_double) :: lower(n), diagonal(n), upper(n)
  integer :: i, it
  do it = 1, nsteps
    lower(1) = 0d0
    do i = 2, n
      lower(i) = -k(i)*(1d0 + 0.5d0*(u(i) + u(i-1)))
    end do
    do i = 1, n - 1
      upper(i) = lower(i+1)
    end do
    upper(n) = 0d0
    do i = 1, n
      diagonal(i) = 1d0 - lower(i) - upper(i)
    end do
    call solve(n, lower, diagonal, upper, u)
  end do
  f = 0d0
  do i = 1, n
    f = f + u(i)**2
  end do
end subroutine
