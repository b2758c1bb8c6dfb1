!> Shallow water in a closed basin with a ridge and an island, and the misfit to observed heights of the surface.
!>
!> Finite differences on a staggered grid: the height is in the middle of a cell, u on its eastern and v on its
!> northern side. One row of cells around the basin is land and holds boundary values.
module shallow_water_model
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none

  integer, parameter :: nx = 64, ny = 64
  !> Time steps from one observation to the next, and number of observations.
  integer, parameter :: steps_between = 50, observations = 3
  real(dp), parameter :: gravity = 9.81_dp, viscosity = 500.0_dp, drag = 2.5e-3_dp
  !> Weight of the term that keeps the initial height smooth.
  real(dp), parameter :: smoothing = 0.2_dp

  type :: grid_type
    real(dp) :: dx = 10.0e3_dp, dy = 10.0e3_dp, dt = 120.0_dp
    !> The Coriolis parameter in each row of cells.
    real(dp) :: coriolis(0:ny + 1)
    !> Depth of the water at rest.
    real(dp), allocatable :: depth(:, :)
    !> 1 in water, 0 on land.
    real(dp) :: water(0:nx + 1, 0:ny + 1)
  end type grid_type

  type(grid_type) :: grid
  !> The state: height of the surface above that at rest, and velocities.
  real(dp) :: height(0:nx + 1, 0:ny + 1), u(0:nx + 1, 0:ny + 1), v(0:nx + 1, 0:ny + 1)
  real(dp) :: observed(nx, ny, observations) = 0.0_dp

contains

  subroutine make_grid()
    real(dp) :: x, y
    integer :: i, j

    allocate (grid%depth(0:nx + 1, 0:ny + 1))
    grid%water = 0.0_dp
    do j = 0, ny + 1
      grid%coriolis(j) = 1.0e-4_dp + 2.0e-11_dp * grid%dy * (j - ny / 2)
      do i = 0, nx + 1
        x = (i - 0.5_dp) / nx
        y = (j - 0.5_dp) / ny
        grid%depth(i, j) = 100.0_dp - 50.0_dp * exp(-((x - 0.6_dp) / 0.08_dp)**2)
        if (i < 1 .or. i > nx .or. j < 1 .or. j > ny) cycle
        if (((x - 0.68_dp) / 0.07_dp)**2 + ((y - 0.66_dp) / 0.11_dp)**2 > 1.0_dp) grid%water(i, j) = 1.0_dp
      end do
    end do
  end subroutine make_grid

  !> No flow through coasts and free slip along the walls.
  subroutine boundary()
    integer :: i, j

    do j = 1, ny
      do i = 0, nx
        if (grid%water(i, j) * grid%water(i + 1, j) < 0.5_dp) u(i, j) = 0.0_dp
      end do
    end do
    do j = 0, ny
      do i = 1, nx
        if (grid%water(i, j) * grid%water(i, j + 1) < 0.5_dp) v(i, j) = 0.0_dp
      end do
    end do
    u(:, 0) = u(:, 1)
    u(:, ny + 1) = u(:, ny)
    v(0, :) = v(1, :)
    v(nx + 1, :) = v(nx, :)
  end subroutine boundary

  !> Conservation of water: the height changes by what flows through the sides of a cell.
  subroutine update_height()
    real(dp) :: total(0:nx + 1, 0:ny + 1), east(0:nx, ny), north(nx, 0:ny)

    total = grid%depth + height
    east = 0.5_dp * (total(0:nx, 1:ny) + total(1:nx + 1, 1:ny)) * u(0:nx, 1:ny)
    north = 0.5_dp * (total(1:nx, 0:ny) + total(1:nx, 1:ny + 1)) * v(1:nx, 0:ny)
    height(1:nx, 1:ny) = height(1:nx, 1:ny) &
                         - grid%dt * (east(1:nx, :) - east(0:nx - 1, :)) / grid%dx &
                         - grid%dt * (north(:, 1:ny) - north(:, 0:ny - 1)) / grid%dy
  end subroutine update_height

  !> Friction at the bottom for each unit of velocity.
  pure function friction(along, across, depth) result(rate)
    real(dp), intent(in) :: along, across, depth
    real(dp) :: rate

    rate = drag * sqrt(along**2 + across**2 + 1.0e-6_dp) / depth
  end function friction

  !> The rates of change of the velocities.
  subroutine tendencies(du, dv)
    real(dp), intent(out) :: du(nx, ny), dv(nx, ny)
    real(dp) :: across, advection, mixing
    integer :: i, j

    du = 0.0_dp
    dv = 0.0_dp
    do j = 1, ny
      do i = 1, nx - 1
        across = 0.25_dp * (v(i, j) + v(i + 1, j) + v(i, j - 1) + v(i + 1, j - 1))
        advection = u(i, j) * (u(i + 1, j) - u(i - 1, j)) / (2.0_dp * grid%dx) &
                    + across * (u(i, j + 1) - u(i, j - 1)) / (2.0_dp * grid%dy)
        mixing = viscosity * ((u(i + 1, j) - 2.0_dp * u(i, j) + u(i - 1, j)) / grid%dx**2 &
                              + (u(i, j + 1) - 2.0_dp * u(i, j) + u(i, j - 1)) / grid%dy**2)
        du(i, j) = grid%coriolis(j) * across - gravity * (height(i + 1, j) - height(i, j)) / grid%dx &
                   - advection + mixing - friction(u(i, j), across, grid%depth(i, j)) * u(i, j)
      end do
    end do
    do j = 1, ny - 1
      do i = 1, nx
        across = 0.25_dp * (u(i, j) + u(i, j + 1) + u(i - 1, j) + u(i - 1, j + 1))
        advection = across * (v(i + 1, j) - v(i - 1, j)) / (2.0_dp * grid%dx) &
                    + v(i, j) * (v(i, j + 1) - v(i, j - 1)) / (2.0_dp * grid%dy)
        mixing = viscosity * ((v(i + 1, j) - 2.0_dp * v(i, j) + v(i - 1, j)) / grid%dx**2 &
                              + (v(i, j + 1) - 2.0_dp * v(i, j) + v(i, j - 1)) / grid%dy**2)
        dv(i, j) = -grid%coriolis(j) * across - gravity * (height(i, j + 1) - height(i, j)) / grid%dy &
                   - advection + mixing - friction(v(i, j), across, grid%depth(i, j)) * v(i, j)
      end do
    end do
  end subroutine tendencies

  !> One time step: the height with the old velocities, then the velocities with the new height.
  subroutine step()
    real(dp) :: du(nx, ny), dv(nx, ny)

    call update_height()
    call tendencies(du, dv)
    u(1:nx, 1:ny) = u(1:nx, 1:ny) + grid%dt * du
    v(1:nx, 1:ny) = v(1:nx, 1:ny) + grid%dt * dv
    call boundary()
  end subroutine step

  !> Sets the state: the given height and no motion.
  subroutine start(initial)
    real(dp), intent(in) :: initial(nx, ny)

    height = 0.0_dp
    height(1:nx, 1:ny) = initial
    u = 0.0_dp
    v = 0.0_dp
  end subroutine start

  subroutine run(steps)
    integer, intent(in) :: steps
    integer :: k

    do k = 1, steps
      call step()
    end do
  end subroutine run

  !> The misfit to all observations when the water starts at rest with the given height of its surface.
  subroutine cost(initial, j)
    real(dp), intent(in) :: initial(nx, ny)
    real(dp), intent(out) :: j
    integer :: m

    call start(initial)
    j = 0.5_dp * smoothing * (sum((initial(2:nx, :) - initial(1:nx - 1, :))**2) &
                              + sum((initial(:, 2:ny) - initial(:, 1:ny - 1))**2))
    do m = 1, observations
      call run(steps_between)
      j = j + 0.5_dp * sum(grid%water(1:nx, 1:ny) * (height(1:nx, 1:ny) - observed(:, :, m))**2)
    end do
  end subroutine cost

end module shallow_water_model
