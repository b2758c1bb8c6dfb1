!> Heat conduction in a rod with varying conductivity, implicit in time, and the misfit to measured temperatures.
!>
!> The left end is kept at temperature 1 and the right end at 0, where the rod starts.
module heat_model
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none

  real(dp), parameter :: left_temperature = 1.0_dp, right_temperature = 0.0_dp
  real(dp), parameter :: dt = 0.02_dp
  !> Weight of the term that keeps neighbouring conductivities alike.
  real(dp), parameter :: smoothing = 1.0e-7_dp

contains

  !> Solves a tridiagonal system by elimination and back substitution (Thomas).
  subroutine solve_tridiagonal(n, lower, diagonal, upper, right, x)
    integer, intent(in) :: n
    real(dp), intent(in) :: lower(n), diagonal(n), upper(n), right(n)
    real(dp), intent(out) :: x(n)
    real(dp) :: factor(n), pivot
    integer :: i

    factor(1) = upper(1) / diagonal(1)
    x(1) = right(1) / diagonal(1)
    do i = 2, n
      pivot = diagonal(i) - lower(i) * factor(i - 1)
      factor(i) = upper(i) / pivot
      x(i) = (right(i) - lower(i) * x(i - 1)) / pivot
    end do
    do i = n - 1, 1, -1
      x(i) = x(i) - factor(i) * x(i + 1)
    end do
  end subroutine solve_tridiagonal

  !> One implicit step; conductivity(i) lies between the cells i and i + 1.
  subroutine advance(n, conductivity, temperature)
    integer, intent(in) :: n
    real(dp), intent(in) :: conductivity(0:n)
    real(dp), intent(inout) :: temperature(n)
    real(dp) :: lower(n), diagonal(n), upper(n), right(n), ratio
    integer :: i

    ratio = dt * real(n, dp)**2
    right = temperature
    do i = 1, n
      lower(i) = -ratio * conductivity(i - 1)
      upper(i) = -ratio * conductivity(i)
      diagonal(i) = 1.0_dp - lower(i) - upper(i)
    end do
    right(1) = right(1) - lower(1) * left_temperature
    right(n) = right(n) - upper(n) * right_temperature
    call solve_tridiagonal(n, lower, diagonal, upper, right, temperature)
  end subroutine advance

  !> The misfit to the temperatures measured after each step, for the conductivities exp(p).
  subroutine cost(n, steps, measured, p, j)
    integer, intent(in) :: n, steps
    real(dp), intent(in) :: measured(n, steps)
    real(dp), intent(in) :: p(0:n)
    real(dp), intent(out) :: j
    real(dp) :: temperature(n), conductivity(0:n)
    integer :: k

    conductivity = exp(p)
    temperature = right_temperature
    j = 0.5_dp * smoothing * sum((p(1:n) - p(0:n - 1))**2)
    do k = 1, steps
      call advance(n, conductivity, temperature)
      j = j + 0.5_dp * sum((temperature - measured(:, k))**2) / real(n * steps, dp)
    end do
  end subroutine cost

end module heat_model
