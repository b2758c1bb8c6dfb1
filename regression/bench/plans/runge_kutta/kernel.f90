! runge_kutta: the model of Lorenz (1996) with forcing, in steps of the classical method of fourth order
! head: kernel(f,x)/(x,forcing)
! size: n=12 nsteps=9
module lorenz_96
  use iso_c_binding, only: c_int, c_double
  implicit none
contains
  subroutine slope(n, x, forcing, dx)
    integer(c_int), intent(in)  :: n
    real(c_double), intent(in)  :: x(n), forcing(n)
    real(c_double), intent(out) :: dx(n)
    integer :: i
    dx(1) = (x(2) - x(n-1))*x(n) - x(1) + forcing(1)
    dx(2) = (x(3) - x(n))*x(1) - x(2) + forcing(2)
    do i = 3, n - 1
      dx(i) = (x(i+1) - x(i-2))*x(i-1) - x(i) + forcing(i)
    end do
    dx(n) = (x(1) - x(n-2))*x(n-1) - x(n) + forcing(n)
  end subroutine
end module

subroutine kernel(n, nsteps, x, forcing, f) bind(C, name="kernel")
  use iso_c_binding, only: c_int, c_double
  use lorenz_96, only: slope
  implicit none
  integer(c_int), intent(in)    :: n, nsteps
  real(c_double), intent(inout) :: x(n)
  real(c_double), intent(in)    :: forcing(n)
  real(c_double), intent(out)   :: f
  real(c_double), parameter :: dt = 0.002d0
  real(c_double), dimension(n) :: k1, k2, k3, k4, y
  integer :: i, it
  do it = 1, nsteps
    call slope(n, x, forcing, k1)
    y = x + 0.5d0*dt*k1
    call slope(n, y, forcing, k2)
    y = x + 0.5d0*dt*k2
    call slope(n, y, forcing, k3)
    y = x + dt*k3
    call slope(n, y, forcing, k4)
    x = x + dt/6d0*(k1 + 2d0*k2 + 2d0*k3 + k4)
  end do
  f = 0d0
  do i = 1, n
    f = f + x(i)**2
  end do
end subroutine
