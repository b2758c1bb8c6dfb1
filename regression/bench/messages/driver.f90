! Times the steps and their gradient, and compares the gradient with central differences along one direction.
!
!   driver M LAYERS STEPS   LAYERS are all processes' together
program driver
  use iso_c_binding, only: c_int, c_double
  use mpi
  use hydrodynamics_halo, only: energy
  use hydrodynamics_halo_b, only: energy_b
  implicit none
  integer(c_int) :: m, layers, nsteps, nelements, nnodes
  integer :: rank, ranks, error, run, n
  real(c_double), allocatable, dimension(:,:) :: shift, shift_b, v, v_b, v_start, change
  real(c_double), allocatable, dimension(:) :: e, e_b, e_start
  real(c_double) :: f, f_b, began, primal, gradient, slopes(2), sides(2), own
  real(c_double), parameter :: courant = 0.3d0, h = 1d-6
  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, error)
  m = number_of(1)
  layers = number_of(2)/ranks
  nsteps = number_of(3)
  nelements = m**2*layers
  nnodes = (m+1)**2*(layers+1)
  allocate(shift(3,nnodes), shift_b(3,nnodes), v(3,nnodes), v_b(3,nnodes), v_start(3,nnodes), change(3,nnodes))
  allocate(e(nelements), e_b(nelements), e_start(nelements))
  ! Neighbours have the same for the nodes between them.
  do n = 1, nnodes
    shift(:,n) = 0.1d0*sin([1d0, 2d0, 3d0]*(n + rank*layers*(m+1)**2))
    v_start(:,n) = 0.1d0*cos([3d0, 1d0, 2d0]*(n + rank*layers*(m+1)**2))
    change(:,n) = cos([2d0, 3d0, 5d0]*(n + rank*layers*(m+1)**2))
  end do
  e_start = [(1.5d0 + 0.5d0*sin(0.1d0*(n + rank*nelements)), n = 1, nelements)]
  primal = huge(primal)
  gradient = huge(gradient)
  do run = 1, 5
    v = v_start
    e = e_start
    call mpi_barrier(MPI_COMM_WORLD, error)
    began = mpi_wtime()
    call energy(m, nelements, nnodes, nsteps, courant, shift, v, e, f)
    call mpi_barrier(MPI_COMM_WORLD, error)
    primal = min(primal, mpi_wtime() - began)
    v = v_start
    e = e_start
    shift_b = 0
    v_b = 0
    e_b = 0
    ! All processes have the same energy: its derivative is asked for once.
    f_b = merge(1, 0, rank == 0)
    call mpi_barrier(MPI_COMM_WORLD, error)
    began = mpi_wtime()
    call energy_b(m, nelements, nnodes, nsteps, courant, shift, shift_b, v, v_b, e, e_b, f, f_b)
    call mpi_barrier(MPI_COMM_WORLD, error)
    gradient = min(gradient, mpi_wtime() - began)
  end do
  do run = 1, 2
    v = v_start
    e = e_start
    call energy(m, nelements, nnodes, nsteps, courant, shift + merge(h, -h, run == 1)*change, v, e, sides(run))
  end do
  slopes(1) = (sides(1) - sides(2))/(2*h)
  own = sum(shift_b*change)
  call mpi_allreduce(own, slopes(2), 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank == 0) then
    print "(a,i0,a,f0.4,a,f0.4,a,f0.2)", "hydrodynamics with halos, processes: ", ranks, ", primal s ", primal, ", gradient s ", &
      gradient, ", ratio ", gradient/primal
    print "(a,es22.14,a,es22.14)", "slope by differences ", slopes(1), ", by the gradient ", slopes(2)
    if (.not. abs(slopes(1) - slopes(2)) <= 1d-5*abs(slopes(1))) error stop "the gradient is wrong"
  end if
  call mpi_finalize(error)
contains
  integer function number_of(position)
    integer, intent(in) :: position
    character(len=32) :: text
    call get_command_argument(position, text)
    read (text, *) number_of
  end function
end program
