!> The gradient of the flow model over several processes: compared with that of the serial variant, or timed.
!>
!>   flow_processes --check FILE   FILE holds the gradient that the serial variant has kept
!>   flow_processes [STEPS]        seconds of model and gradient, for 100 x 50 cells
program flow_processes
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use flow_model, only: final_energy, make_grid, nx, nz, offset_x, offset_z, thermal, whole_nx, whole_nz
  use flow_model_b, only: final_energy_b
  use mpi
  implicit none
  integer :: rank, ranks, error, steps
  character(len=256) :: what, file

  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, error)
  call get_command_argument(1, what)
  if (what == "--check") then
    call get_command_argument(2, file)
    call compare()
  else
    call time()
  end if
  call mpi_finalize(error)

contains

  !> The gradient of this process' cells. All processes have the same energy; its derivative is asked for once.
  function gradient_of(theta) result(theta_b)
    real(dp), intent(in) :: theta(nx, nz)
    real(dp) :: theta_b(nx, nz), energy_b, ignored

    theta_b = 0.0_dp
    energy_b = merge(1.0_dp, 0.0_dp, rank == 0)
    call final_energy_b(theta, theta_b, steps, ignored, energy_b)
  end function gradient_of

  subroutine compare()
    real(dp), parameter :: allowed = 1.0e-10_dp
    real(dp), allocatable :: theta(:, :), own(:, :), all(:, :), kept(:)
    real(dp) :: difference
    integer :: unit

    call make_grid()
    steps = 30
    allocate (theta(nx, nz), own(whole_nx, whole_nz), all(whole_nx, whole_nz), kept(whole_nx * whole_nz))
    call thermal(10.0_dp, theta)
    own = 0.0_dp
    own(offset_x + 1:offset_x + nx, offset_z + 1:offset_z + nz) = gradient_of(theta)
    call mpi_reduce(own, all, size(own), MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
    if (rank /= 0) return
    open (newunit=unit, file=file, form="unformatted", status="old", action="read")
    read (unit) kept
    close (unit)
    difference = norm2(reshape(all, [size(all)]) - kept) / norm2(kept)
    print "(i0,a,es10.2)", ranks, " processes: gradient against that of the serial variant, relative difference", difference
    if (.not. difference <= allowed) error stop "the variants differ"
  end subroutine compare

  subroutine time()
    real(dp), allocatable :: theta(:, :), gradient(:, :)
    real(dp) :: energy, began, model_time, gradient_time

    whole_nx = 100
    whole_nz = 50
    steps = 2000
    if (what /= "") read (what, *) steps
    call make_grid()
    allocate (theta(nx, nz))
    call thermal(2.0_dp, theta)
    call mpi_barrier(MPI_COMM_WORLD, error)
    began = mpi_wtime()
    call final_energy(theta, steps, energy)
    call mpi_barrier(MPI_COMM_WORLD, error)
    model_time = mpi_wtime() - began
    began = mpi_wtime()
    gradient = gradient_of(theta)
    call mpi_barrier(MPI_COMM_WORLD, error)
    gradient_time = mpi_wtime() - began
    if (rank == 0) print "(i0,a,i0,a,f0.2,a,f0.2,a,f0.1,a)", ranks, " processes, ", steps, " steps: model ", model_time, &
      " s, gradient ", gradient_time, " s, ", gradient_time / model_time, " times the model"
  end subroutine time

end program flow_processes
