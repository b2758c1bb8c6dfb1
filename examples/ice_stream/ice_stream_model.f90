!> An ice stream in the shallow shelf approximation along a flow line: membrane stresses with Glen's flow law, basal drag,
!> and the pressure of the ocean at the front. Without dimensions; the stream is as long as 1.
module ice_stream_model
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none
  private
  public :: cost, velocity, viscosity

  real(dp), parameter :: membrane = 0.02_dp, front = 0.08_dp, least_rate = 1.0e-3_dp
  real(dp), parameter :: converged = 1.0e-13_dp

contains

  !> How far the velocities are from measured ones, and how rough the drag is; p is the logarithm of the drag.
  subroutine cost(n, measured, thickness, p, j)
    integer, intent(in) :: n
    real(dp), intent(in) :: measured(n), thickness(n), p(n)
    real(dp), intent(out) :: j
    real(dp) :: u(n)

    call velocity(n, thickness, p, u)
    j = 0.5_dp * sum((u - measured)**2) / n + 0.5e-6_dp * n * sum((p(2:n) - p(1:n-1))**2)
  end subroutine cost

  !> The velocities: Picard iterations, each with the viscosity of the last one.
  subroutine velocity(n, thickness, p, u)
    integer, intent(in) :: n
    real(dp), intent(in) :: thickness(n), p(n)
    real(dp), intent(out) :: u(n)
    real(dp) :: lower(n-1), diagonal(n), upper(n-1), solution(n), stiffness(n)
    real(dp) :: dx, change
    integer :: iteration, i, info
    external :: dgtsv

    dx = 1.0_dp / n
    do i = 1, n
      u(i) = i * dx
    end do
    !$ad fixed-point tolerance(1e-10)
    do iteration = 1, 500
      ! Between the points i - 1 and i; the ice rests at its source.
      do i = 1, n
        if (i == 1) then
          stiffness(i) = membrane * thickness(i) * viscosity(u(i) / dx) / dx**2
        else
          stiffness(i) = membrane * 0.5_dp * (thickness(i-1) + thickness(i)) * viscosity((u(i) - u(i-1)) / dx) / dx**2
        end if
      end do
      ! Half a cell lies before the front.
      do i = 1, n
        if (i < n) then
          diagonal(i) = stiffness(i) + stiffness(i+1) + exp(p(i))
          solution(i) = thickness(i)
        else
          diagonal(i) = 2.0_dp * stiffness(i) + exp(p(i))
          solution(i) = thickness(i) + 2.0_dp * front * thickness(i)**2 / dx
        end if
      end do
      do i = 1, n - 1
        upper(i) = -stiffness(i+1)
        lower(i) = -stiffness(i+1)
        if (i == n - 1) lower(i) = 2.0_dp * lower(i)
      end do
      call dgtsv(n, 1, lower, diagonal, upper, solution, n, info)
      change = maxval(abs(solution - u))
      do i = 1, n
        u(i) = solution(i)
      end do
      if (change <= converged * maxval(abs(u))) exit
    end do
  end subroutine velocity

  !> Glen's flow law with the exponent 3.
  pure real(dp) function viscosity(rate)
    real(dp), intent(in) :: rate

    viscosity = (rate**2 + least_rate**2)**(-1.0_dp / 3.0_dp)
  end function viscosity

end module ice_stream_model
