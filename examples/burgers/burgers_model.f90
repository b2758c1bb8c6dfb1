!> The viscous Burgers equation on a periodic line, and the misfit of the profile at the end to a measured one.
module burgers_model
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none

  real(dp), parameter :: viscosity = 2.0e-3_dp
  !> Weight of the term that keeps the initial profile smooth.
  real(dp), parameter :: smoothing = 2.0e-4_dp

contains

  !> The slope in a cell: the smaller of the differences to its neighbours, none at an extremum (minmod).
  function limited(left, right) result(slope)
    real(dp), intent(in) :: left, right
    real(dp) :: slope

    if (left * right <= 0.0_dp) then
      slope = 0.0_dp
    else if (abs(left) < abs(right)) then
      slope = left
    else
      slope = right
    end if
  end function limited

  !> The rate of change from the fluxes through the cell faces; face(i) lies between the cells i and i + 1.
  subroutine tendency(n, u, rate)
    integer, intent(in) :: n
    real(dp), intent(in) :: u(n)
    real(dp), intent(out) :: rate(n)
    real(dp) :: padded(-1:n + 2), slope(0:n + 1), flux(0:n), left, right, speed, dx
    integer :: i

    dx = 1.0_dp / real(n, dp)
    padded(1:n) = u
    padded(-1:0) = u(n - 1:n)
    padded(n + 1:n + 2) = u(1:2)
    do i = 0, n + 1
      slope(i) = limited(padded(i) - padded(i - 1), padded(i + 1) - padded(i))
    end do
    do i = 0, n
      left = padded(i) + 0.5_dp * slope(i)
      right = padded(i + 1) - 0.5_dp * slope(i + 1)
      speed = max(abs(left), abs(right))
      flux(i) = 0.25_dp * (left**2 + right**2) - 0.5_dp * speed * (right - left) &
                - viscosity * (padded(i + 1) - padded(i)) / dx
    end do
    rate = -(flux(1:n) - flux(0:n - 1)) / dx
  end subroutine tendency

  !> One step of Heun's method.
  subroutine advance(n, dt, u)
    integer, intent(in) :: n
    real(dp), intent(in) :: dt
    real(dp), intent(inout) :: u(n)
    real(dp) :: first(n), second(n)

    call tendency(n, u, first)
    call tendency(n, u + dt * first, second)
    u = u + 0.5_dp * dt * (first + second)
  end subroutine advance

  !> The misfit of the profile that the initial profile u0 has become after some steps.
  subroutine cost(n, steps, dt, measured, u0, j)
    integer, intent(in) :: n, steps
    real(dp), intent(in) :: dt
    real(dp), intent(in) :: measured(n)
    real(dp), intent(in) :: u0(n)
    real(dp), intent(out) :: j
    real(dp) :: u(n)
    integer :: k

    u = u0
    do k = 1, steps
      call advance(n, dt, u)
    end do
    j = 0.5_dp * sum((u - measured)**2) / real(n, dp)
    j = j + 0.5_dp * smoothing * (sum((u0(2:n) - u0(1:n - 1))**2) + (u0(1) - u0(n))**2)
  end subroutine cost

end module burgers_model
