!> The equations of Lorenz (1963), integrated with the classical Runge-Kutta method, and the misfit of a trajectory
!> to observations.
module lorenz_model
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none

  real(dp), parameter :: sigma = 10.0_dp, rho = 28.0_dp, beta = 8.0_dp / 3.0_dp
  real(dp), parameter :: dt = 0.01_dp
  !> Time steps from one observation to the next.
  integer, parameter :: steps_between = 5

contains

  subroutine tendency(x, rate)
    real(dp), intent(in) :: x(3)
    real(dp), intent(out) :: rate(3)

    rate(1) = sigma * (x(2) - x(1))
    rate(2) = x(1) * (rho - x(3)) - x(2)
    rate(3) = x(1) * x(2) - beta * x(3)
  end subroutine tendency

  subroutine step(x)
    real(dp), intent(inout) :: x(3)
    real(dp) :: k1(3), k2(3), k3(3), k4(3)

    call tendency(x, k1)
    call tendency(x + 0.5_dp * dt * k1, k2)
    call tendency(x + 0.5_dp * dt * k2, k3)
    call tendency(x + dt * k3, k4)
    x = x + dt / 6.0_dp * (k1 + 2.0_dp * k2 + 2.0_dp * k3 + k4)
  end subroutine step

  !> Half the sum of squares of the differences to n observations of the whole state.
  subroutine cost(n, observations, x0, j)
    integer, intent(in) :: n
    real(dp), intent(in) :: observations(3, n)
    real(dp), intent(in) :: x0(3)
    real(dp), intent(out) :: j
    real(dp) :: x(3)
    integer :: i, k

    x = x0
    j = 0.0_dp
    do i = 1, n
      do k = 1, steps_between
        call step(x)
      end do
      j = j + 0.5_dp * sum((x - observations(:, i))**2)
    end do
  end subroutine cost

end module lorenz_model
