!> Dry air in a vertical plane: the compressible Euler equations for departures from a hydrostatic background of constant
!> potential temperature.
!>
!> Finite volumes: fluxes through the sides of cells from values interpolated to fourth order, with a hyperviscosity. A
!> step goes through both directions one after the other, in turns in one order and the other, with three Runge-Kutta
!> stages each. Periodic in x, solid walls at the ground and at the top. Two rows of cells around the domain are the halo.
!>
!> One source for several variants: the macros FLOW_OPENMP, FLOW_OPENACC and FLOW_CONCURRENT choose how loops are shared out,
!> and without any of them they are serial. With FLOW_MPI, alone or beside FLOW_OPENMP, the domain is shared out between
!> processes, in both directions.
module flow_model
  use, intrinsic :: iso_fortran_env, only: dp => real64
#if defined(FLOW_MPI)
  use mpi
#endif
  implicit none

  !> The variables of the state: departures of the densities of mass and heat, and both momenta.
  integer, parameter :: mass = 1, momentum_x = 2, momentum_z = 3, heat = 4, variables = 4

  real(dp), parameter :: gravity = 9.81_dp, gas_constant = 287.0_dp, heat_capacity = 1004.0_dp
  real(dp), parameter :: gamma = heat_capacity / (heat_capacity - gas_constant)
  real(dp), parameter :: ground_pressure = 1.0e5_dp
  !> Pressure is this times (density times potential temperature)**gamma.
  real(dp), parameter :: pressure_factor = gas_constant**gamma * ground_pressure**(1.0_dp - gamma)
  !> Potential temperature of the background, in K.
  real(dp), parameter :: background_theta = 300.0_dp
  !> Extent of the domain in m, and a bound of the speed of sound and wind together in m/s.
  real(dp), parameter :: length = 20.0e3_dp, height = 10.0e3_dp, largest_speed = 400.0_dp
  !> Time steps take this part of what the fastest waves take through a cell.
  real(dp), parameter :: courant_number = 0.9_dp
  !> Strength of the hyperviscosity: 1 removes waves of two cells in one step.
  real(dp), parameter :: smoothing = 0.1_dp

  !> Cells of the domain, and of this process, before which there are so many others.
  integer :: whole_nx = 64, whole_nz = 32
  integer :: nx, nz, offset_x, offset_z
#if defined(FLOW_MPI)
  !> The processes as a grid, and the ranks of the neighbours in it; none below the ground and above the top.
  integer :: processes, west, east, below, above
#endif
  real(dp) :: dx, dz, dt
  !> Whether the next step begins with the direction x.
  logical :: x_first = .true.

  !> The state, what it was at the start of a sweep, its rates of change and the fluxes through the sides of cells.
  real(dp), allocatable :: state(:, :, :), base(:, :, :), rate(:, :, :), flux(:, :, :)
  !> The background: densities of mass and heat as means of cells and at the lower sides of cells, pressure at these.
  real(dp), allocatable :: mass_cell(:), heat_cell(:), mass_side(:), heat_side(:), pressure_side(:)

contains

  !> Allocates the state for the present numbers of cells and computes the background.
  subroutine make_grid()
    real(dp) :: z
    integer :: k, cell

    if (allocated(state)) deallocate (state, base, rate, flux, mass_cell, heat_cell, mass_side, heat_side, pressure_side)
#if defined(FLOW_MPI)
    call share_out()
#else
    nx = whole_nx
    nz = whole_nz
    offset_x = 0
    offset_z = 0
#endif
    allocate (state(-1:nx + 2, -1:nz + 2, variables), base(nx, nz, variables), rate(nx, nz, variables))
    allocate (flux(nx + 1, nz + 1, variables))
    allocate (mass_cell(-1:nz + 2), heat_cell(-1:nz + 2))
    allocate (mass_side(nz + 1), heat_side(nz + 1), pressure_side(nz + 1))
    dx = length / whole_nx
    dz = height / whole_nz
    dt = courant_number * min(dx, dz) / largest_speed
    x_first = .true.
    state = 0.0_dp

    do k = 1, nz + 1
      z = (offset_z + k - 1) * dz
      pressure_side(k) = background_pressure(z)
      heat_side(k) = (pressure_side(k) / pressure_factor)**(1.0_dp / gamma)
      mass_side(k) = heat_side(k) / background_theta
    end do
    ! The mean density of a cell is what its weight is, and that is the difference of the pressures.
    ! Below the ground and above the top it is mirrored.
    do k = -1, nz + 2
      cell = offset_z + k
      if (cell < 1) cell = 1 - cell
      if (cell > whole_nz) cell = 2 * whole_nz + 1 - cell
      mass_cell(k) = (background_pressure((cell - 1) * dz) - background_pressure(cell * dz)) / (gravity * dz)
    end do
    heat_cell = background_theta * mass_cell
  end subroutine make_grid

#if defined(FLOW_MPI)
  !> Gives each process its part of the domain. The domain is a cylinder: around it in x, with ends in z.
  subroutine share_out()
    integer :: ranks, rank, error, parts(2), place(2)

    call mpi_comm_size(MPI_COMM_WORLD, ranks, error)
    parts = 0
    call mpi_dims_create(ranks, 2, parts, error)
    call mpi_cart_create(MPI_COMM_WORLD, 2, parts, [.true., .false.], .false., processes, error)
    call mpi_comm_rank(processes, rank, error)
    call mpi_cart_coords(processes, rank, 2, place, error)
    call mpi_cart_shift(processes, 0, 1, west, east, error)
    call mpi_cart_shift(processes, 1, 1, below, above, error)
    nx = whole_nx / parts(1)
    nz = whole_nz / parts(2)
    if (nx * parts(1) /= whole_nx .or. nz * parts(2) /= whole_nz .or. min(nx, nz) < 2) &
      error stop "the cells can't be shared out evenly"
    offset_x = place(1) * nx
    offset_z = place(2) * nz
  end subroutine share_out

  !> The halo at the left and the right: what the neighbours have there.
  subroutine exchange_x()
    real(dp), dimension(2, nz, variables) :: to_west, to_east, from_west, from_east
    integer :: requests(4), number, error, k, v

    number = size(to_west)
    do v = 1, variables
      do k = 1, nz
        to_west(:, k, v) = state(1:2, k, v)
        to_east(:, k, v) = state(nx - 1:nx, k, v)
      end do
    end do
    call mpi_irecv(from_west, number, MPI_DOUBLE_PRECISION, west, 1, processes, requests(1), error)
    call mpi_irecv(from_east, number, MPI_DOUBLE_PRECISION, east, 2, processes, requests(2), error)
    call mpi_isend(to_east, number, MPI_DOUBLE_PRECISION, east, 1, processes, requests(3), error)
    call mpi_isend(to_west, number, MPI_DOUBLE_PRECISION, west, 2, processes, requests(4), error)
    call mpi_waitall(4, requests, MPI_STATUSES_IGNORE, error)
    do v = 1, variables
      do k = 1, nz
        state(-1:0, k, v) = from_west(:, k, v)
        state(nx + 1:nx + 2, k, v) = from_east(:, k, v)
      end do
    end do
  end subroutine exchange_x

  !> The halo below and above: what the neighbours have there, if there are any.
  subroutine exchange_z()
    real(dp), dimension(nx, 2, variables) :: down, up, from_below, from_above
    integer :: requests(4), number, error, v

    number = size(down)
    do v = 1, variables
      down(:, :, v) = state(1:nx, 1:2, v)
      up(:, :, v) = state(1:nx, nz - 1:nz, v)
    end do
    call mpi_irecv(from_below, number, MPI_DOUBLE_PRECISION, below, 3, processes, requests(1), error)
    call mpi_irecv(from_above, number, MPI_DOUBLE_PRECISION, above, 4, processes, requests(2), error)
    call mpi_isend(up, number, MPI_DOUBLE_PRECISION, above, 3, processes, requests(3), error)
    call mpi_isend(down, number, MPI_DOUBLE_PRECISION, below, 4, processes, requests(4), error)
    call mpi_waitall(4, requests, MPI_STATUSES_IGNORE, error)
    if (below /= MPI_PROC_NULL) then
      do v = 1, variables
        state(1:nx, -1:0, v) = from_below(:, :, v)
      end do
    end if
    if (above /= MPI_PROC_NULL) then
      do v = 1, variables
        state(1:nx, nz + 1:nz + 2, v) = from_above(:, :, v)
      end do
    end if
  end subroutine exchange_z
#endif

  !> Pressure of the background: hydrostatic, of constant potential temperature.
  pure real(dp) function background_pressure(z)
    real(dp), intent(in) :: z

    background_pressure = ground_pressure * (1.0_dp - gravity * z / (heat_capacity * background_theta)) &
                          **(heat_capacity / gas_constant)
  end function background_pressure

  !> Pressure from the density of heat.
  pure real(dp) function pressure(heat_density)
    !$acc routine seq
    real(dp), intent(in) :: heat_density

    pressure = pressure_factor * heat_density**gamma
  end function pressure

  !> A warm thermal near the ground: a bump of the given height in K, in the form of a cosine.
  subroutine thermal(amplitude, theta)
    real(dp), intent(in) :: amplitude
    real(dp), intent(out) :: theta(nx, nz)
    real(dp), parameter :: centre_x = 0.5_dp * length, centre_z = 2.0e3_dp, radius = 2.0e3_dp
    real(dp), parameter :: half_pi = 0.5_dp * acos(-1.0_dp)
    real(dp) :: distance
    integer :: i, k

    do k = 1, nz
      do i = 1, nx
        distance = sqrt(((offset_x + i - 0.5_dp) * dx - centre_x)**2 &
                        + ((offset_z + k - 0.5_dp) * dz - centre_z)**2) / radius
        theta(i, k) = 0.0_dp
        if (distance < 1.0_dp) theta(i, k) = amplitude * cos(half_pi * distance)**2
      end do
    end do
  end subroutine thermal

  !> Sets the state: air at rest with the pressure of the background and the given departure of potential temperature.
  subroutine start(theta)
    real(dp), intent(in) :: theta(nx, nz)
    integer :: i, k

    x_first = .true.
#if defined(FLOW_OPENMP)
    !$omp parallel do
#elif defined(FLOW_OPENACC)
    !$acc parallel loop collapse(2)
#endif
#if defined(FLOW_CONCURRENT)
    do concurrent (k = 1:nz, i = 1:nx)
#else
    do k = 1, nz
      do i = 1, nx
#endif
        state(i, k, mass) = heat_cell(k) / (background_theta + theta(i, k)) - mass_cell(k)
        state(i, k, momentum_x) = 0.0_dp
        state(i, k, momentum_z) = 0.0_dp
        state(i, k, heat) = 0.0_dp
#if !defined(FLOW_CONCURRENT)
      end do
#endif
    end do
  end subroutine start

  !> The halo at the left and the right: the domain is periodic.
  subroutine halo_x()
#if defined(FLOW_MPI)
    call exchange_x()
#else
    integer :: k, v

#if defined(FLOW_OPENMP)
    !$omp parallel do collapse(2)
#elif defined(FLOW_OPENACC)
    !$acc parallel loop collapse(2)
#endif
#if defined(FLOW_CONCURRENT)
    do concurrent (v = 1:variables, k = 1:nz)
#else
    do v = 1, variables
      do k = 1, nz
#endif
        state(-1, k, v) = state(nx - 1, k, v)
        state(0, k, v) = state(nx, k, v)
        state(nx + 1, k, v) = state(1, k, v)
        state(nx + 2, k, v) = state(2, k, v)
#if !defined(FLOW_CONCURRENT)
      end do
#endif
    end do
#endif
  end subroutine halo_x

  !> The halo below and above: a mirror, which turns the vertical momentum around.
  subroutine halo_z()
    integer :: i, v
    real(dp) :: sign_of_mirror

#if defined(FLOW_MPI)
    call exchange_z()
#endif
#if defined(FLOW_OPENMP)
    !$omp parallel do collapse(2) private(sign_of_mirror)
#elif defined(FLOW_OPENACC)
    !$acc parallel loop collapse(2) private(sign_of_mirror)
#endif
#if defined(FLOW_CONCURRENT)
    do concurrent (v = 1:variables, i = 1:nx)
#else
    do v = 1, variables
      do i = 1, nx
#endif
        sign_of_mirror = 1.0_dp
        if (v == momentum_z) sign_of_mirror = -1.0_dp
#if defined(FLOW_MPI)
        if (below == MPI_PROC_NULL) then
          state(i, -1, v) = sign_of_mirror * state(i, 2, v)
          state(i, 0, v) = sign_of_mirror * state(i, 1, v)
        end if
        if (above == MPI_PROC_NULL) then
          state(i, nz + 1, v) = sign_of_mirror * state(i, nz, v)
          state(i, nz + 2, v) = sign_of_mirror * state(i, nz - 1, v)
        end if
#else
        state(i, -1, v) = sign_of_mirror * state(i, 2, v)
        state(i, 0, v) = sign_of_mirror * state(i, 1, v)
        state(i, nz + 1, v) = sign_of_mirror * state(i, nz, v)
        state(i, nz + 2, v) = sign_of_mirror * state(i, nz - 1, v)
#endif
#if !defined(FLOW_CONCURRENT)
      end do
#endif
    end do
  end subroutine halo_z

  !> The rates of change by what flows through the sides to the left and right.
  subroutine rates_x()
    real(dp) :: at_side(variables), third(variables), density, heat_density, u, viscosity
    integer :: i, k, v

    call halo_x()
    viscosity = smoothing * dx / (16.0_dp * dt)
#if defined(FLOW_OPENMP)
    !$omp parallel do private(at_side, third, density, heat_density, u, v)
#elif defined(FLOW_OPENACC)
    !$acc parallel loop collapse(2) private(at_side, third, density, heat_density, u)
#endif
#if defined(FLOW_CONCURRENT)
    do concurrent (k = 1:nz, i = 1:nx + 1)
#else
    do k = 1, nz
      do i = 1, nx + 1
#endif
        ! Values in the middle of the side, and the third differences across it.
#if defined(FLOW_OPENACC)
        !$acc loop seq
#endif
        do v = 1, variables
          at_side(v) = (7.0_dp * (state(i - 1, k, v) + state(i, k, v)) - state(i - 2, k, v) - state(i + 1, k, v)) / 12.0_dp
          third(v) = state(i + 1, k, v) - state(i - 2, k, v) - 3.0_dp * (state(i, k, v) - state(i - 1, k, v))
        end do
        density = mass_cell(k) + at_side(mass)
        heat_density = heat_cell(k) + at_side(heat)
        u = at_side(momentum_x) / density
        flux(i, k, mass) = at_side(momentum_x) + viscosity * third(mass)
        flux(i, k, momentum_x) = at_side(momentum_x) * u + pressure(heat_density) - pressure(heat_cell(k)) &
                                 + viscosity * third(momentum_x)
        flux(i, k, momentum_z) = at_side(momentum_z) * u + viscosity * third(momentum_z)
        flux(i, k, heat) = heat_density * u + viscosity * third(heat)
#if !defined(FLOW_CONCURRENT)
      end do
#endif
    end do

#if defined(FLOW_OPENMP)
    !$omp parallel do collapse(2)
#elif defined(FLOW_OPENACC)
    !$acc parallel loop collapse(3)
#endif
#if defined(FLOW_CONCURRENT)
    do concurrent (v = 1:variables, k = 1:nz, i = 1:nx)
#else
    do v = 1, variables
      do k = 1, nz
        do i = 1, nx
#endif
          rate(i, k, v) = -(flux(i + 1, k, v) - flux(i, k, v)) / dx
#if !defined(FLOW_CONCURRENT)
        end do
      end do
#endif
    end do
  end subroutine rates_x

  !> The rates of change by what flows through the sides below and above, and by gravity.
  subroutine rates_z()
    real(dp) :: at_side(variables), third(variables), density, heat_density, w, viscosity
    integer :: i, k, v

    call halo_z()
    viscosity = smoothing * dz / (16.0_dp * dt)
#if defined(FLOW_OPENMP)
    !$omp parallel do private(at_side, third, density, heat_density, w, v)
#elif defined(FLOW_OPENACC)
    !$acc parallel loop collapse(2) private(at_side, third, density, heat_density, w)
#endif
#if defined(FLOW_CONCURRENT)
    do concurrent (k = 1:nz + 1, i = 1:nx)
#else
    do k = 1, nz + 1
      do i = 1, nx
#endif
#if defined(FLOW_OPENACC)
        !$acc loop seq
#endif
        do v = 1, variables
          at_side(v) = (7.0_dp * (state(i, k - 1, v) + state(i, k, v)) - state(i, k - 2, v) - state(i, k + 1, v)) / 12.0_dp
          third(v) = state(i, k + 1, v) - state(i, k - 2, v) - 3.0_dp * (state(i, k, v) - state(i, k - 1, v))
        end do
        ! Nothing flows through the ground and the top.
#if defined(FLOW_MPI)
        if (offset_z + k == 1 .or. offset_z + k == whole_nz + 1) then
#else
        if (k == 1 .or. k == nz + 1) then
#endif
          at_side(momentum_z) = 0.0_dp
          third(mass) = 0.0_dp
        end if
        density = mass_side(k) + at_side(mass)
        heat_density = heat_side(k) + at_side(heat)
        w = at_side(momentum_z) / density
        flux(i, k, mass) = at_side(momentum_z) + viscosity * third(mass)
        flux(i, k, momentum_x) = at_side(momentum_x) * w + viscosity * third(momentum_x)
        flux(i, k, momentum_z) = at_side(momentum_z) * w + pressure(heat_density) - pressure_side(k) &
                                 + viscosity * third(momentum_z)
        flux(i, k, heat) = heat_density * w + viscosity * third(heat)
#if !defined(FLOW_CONCURRENT)
      end do
#endif
    end do

#if defined(FLOW_OPENMP)
    !$omp parallel do collapse(2)
#elif defined(FLOW_OPENACC)
    !$acc parallel loop collapse(3)
#endif
#if defined(FLOW_CONCURRENT)
    do concurrent (v = 1:variables, k = 1:nz, i = 1:nx)
#else
    do v = 1, variables
      do k = 1, nz
        do i = 1, nx
#endif
          rate(i, k, v) = -(flux(i, k + 1, v) - flux(i, k, v)) / dz
          if (v == momentum_z) rate(i, k, v) = rate(i, k, v) - gravity * state(i, k, mass)
#if !defined(FLOW_CONCURRENT)
        end do
      end do
#endif
    end do
  end subroutine rates_z

  !> One Runge-Kutta stage in one direction: from the base by the rates of the present state over the time h.
  subroutine stage(along_x, h)
    logical, intent(in) :: along_x
    real(dp), intent(in) :: h
    integer :: i, k, v

    if (along_x) then
      call rates_x()
    else
      call rates_z()
    end if
#if defined(FLOW_OPENMP)
    !$omp parallel do collapse(2)
#elif defined(FLOW_OPENACC)
    !$acc parallel loop collapse(3)
#endif
#if defined(FLOW_CONCURRENT)
    do concurrent (v = 1:variables, k = 1:nz, i = 1:nx)
#else
    do v = 1, variables
      do k = 1, nz
        do i = 1, nx
#endif
          state(i, k, v) = base(i, k, v) + h * rate(i, k, v)
#if !defined(FLOW_CONCURRENT)
        end do
      end do
#endif
    end do
  end subroutine stage

  !> All stages in one direction.
  subroutine sweep(along_x)
    logical, intent(in) :: along_x
    integer :: i, k, v

#if defined(FLOW_OPENMP)
    !$omp parallel do collapse(2)
#elif defined(FLOW_OPENACC)
    !$acc parallel loop collapse(3)
#endif
#if defined(FLOW_CONCURRENT)
    do concurrent (v = 1:variables, k = 1:nz, i = 1:nx)
#else
    do v = 1, variables
      do k = 1, nz
        do i = 1, nx
#endif
          base(i, k, v) = state(i, k, v)
#if !defined(FLOW_CONCURRENT)
        end do
      end do
#endif
    end do
    call stage(along_x, dt / 3.0_dp)
    call stage(along_x, dt / 2.0_dp)
    call stage(along_x, dt)
  end subroutine sweep

  !> One time step: both directions, in the other order than in the step before.
  subroutine step()
    if (x_first) then
      call sweep(.true.)
      call sweep(.false.)
    else
      call sweep(.false.)
      call sweep(.true.)
    end if
    x_first = .not. x_first
  end subroutine step

  !> The cells of the domain whose energy counts: a box above the middle.
  subroutine box(left, right, bottom, top)
    integer, intent(out) :: left, right, bottom, top

    left = whole_nx / 2 - whole_nx / 8 + 1
    right = whole_nx / 2 + whole_nx / 8
    bottom = whole_nz / 2 + 1
    top = 3 * whole_nz / 4
  end subroutine box

  !> The mean kinetic energy of vertical motion in the box, in J/m3, so many steps after a start with the given departure of
  !> potential temperature.
  subroutine final_energy(theta, steps, energy)
    real(dp), intent(in) :: theta(nx, nz)
    integer, intent(in) :: steps
    real(dp), intent(out) :: energy
    integer :: i, k, n, left, right, bottom, top
#if defined(FLOW_MPI)
    real(dp) :: own
    integer :: error
#endif

#if defined(FLOW_OPENACC)
    !$acc data copy(state) create(base, rate, flux) copyin(mass_cell, heat_cell, mass_side, heat_side, pressure_side)
#endif
    call start(theta)
    !$ad checkpoint schedule(revolve) snapshots(50)
    do n = 1, steps
      call step()
    end do
#if defined(FLOW_OPENACC)
    !$acc end data
#endif
    call box(left, right, bottom, top)
    energy = 0.0_dp
#if defined(FLOW_OPENMP)
    !$omp parallel do reduction(+: energy)
#elif defined(FLOW_OPENACC)
    !$acc parallel loop collapse(2) reduction(+: energy)
#endif
    do k = max(bottom - offset_z, 1), min(top - offset_z, nz)
      do i = max(left - offset_x, 1), min(right - offset_x, nx)
        energy = energy + 0.5_dp * state(i, k, momentum_z)**2 / (mass_cell(k) + state(i, k, mass))
      end do
    end do
#if defined(FLOW_MPI)
    own = energy
    call mpi_allreduce(own, energy, 1, MPI_DOUBLE_PRECISION, MPI_SUM, processes, error)
#endif
    energy = energy / ((right - left + 1) * (top - bottom + 1))
  end subroutine final_energy

  !> The departure of potential temperature in the present state.
  subroutine present_theta(theta)
    real(dp), intent(out) :: theta(nx, nz)
    integer :: i, k

    do k = 1, nz
      do i = 1, nx
        theta(i, k) = (heat_cell(k) + state(i, k, heat)) / (mass_cell(k) + state(i, k, mass)) - background_theta
      end do
    end do
  end subroutine present_theta

end module flow_model
