!> The gradient of the energy that is left of a wave, over several processes: checked, compared with that of one process,
!> and timed under two numbers of snapshots.
!>
!>   burgers_halo CELLS STEPS [FILE]   FILE: where one process keeps its gradient and others compare theirs with it
program burgers_halo
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use mpi
  use burgers_halo_model, only: energy
  use burgers_halo_model_b, only: energy_b
  implicit none
  integer :: cells, steps, n, rank, ranks, error
  character(len=256) :: file
  real(dp), allocatable :: start(:), gradient(:), all(:)

  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, error)
  cells = number_of(1)
  steps = number_of(2)
  call get_command_argument(3, file)
  n = cells / ranks
  if (n * ranks /= cells) error stop "the cells can't be shared out evenly"
  allocate (start(n), gradient(n), all(cells))
  start = wave(rank * n)

  call time(30)
  call time(150)
  call check_slope()
  call mpi_gather(gradient, n, MPI_DOUBLE_PRECISION, all, n, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
  if (rank == 0 .and. file /= "") call keep_or_compare()
  call mpi_finalize(error)

contains

  integer function number_of(position)
    integer, intent(in) :: position
    character(len=32) :: text

    call get_command_argument(position, text)
    read (text, *) number_of
  end function number_of

  !> The profile at the start, from the cell behind `first` on.
  function wave(first)
    integer, intent(in) :: first
    real(dp) :: wave(n)
    real(dp), parameter :: two_pi = 2 * acos(-1.0_dp)
    integer :: i

    wave = [(0.4_dp + 0.3_dp * sin(two_pi * (first + i - 0.5_dp) / cells), i=1, n)]
  end function wave

  !> Seconds of the model and of its gradient, the shortest of three runs each.
  subroutine time(snapshots)
    integer, intent(in) :: snapshots
    real(dp) :: mean, mean_b, began, model, adjoint
    integer :: run

    model = huge(model)
    adjoint = huge(adjoint)
    do run = 1, 3
      call mpi_barrier(MPI_COMM_WORLD, error)
      began = mpi_wtime()
      call energy(n, steps, snapshots, start, mean)
      call mpi_barrier(MPI_COMM_WORLD, error)
      model = min(model, mpi_wtime() - began)
      began = mpi_wtime()
      ! All processes have the same mean. Its derivative is asked for once, or it would be that of the sum of all.
      mean_b = merge(1, 0, rank == 0)
      gradient = 0
      call energy_b(n, steps, snapshots, start, gradient, mean, mean_b)
      call mpi_barrier(MPI_COMM_WORLD, error)
      adjoint = min(adjoint, mpi_wtime() - began)
    end do
    if (rank == 0) print "(i0,a,i0,a,i0,a,i0,a,f0.3,a,f0.3,a,f0.2,a)", ranks, " processes, ", cells, " cells, ", steps, &
      " steps, ", snapshots, " snapshots: model ", model, " s, gradient ", adjoint, " s, ", adjoint / model, " times the model"
  end subroutine time

  !> The slope along a change of all processes' cells: what the gradient says against central differences.
  subroutine check_slope()
    real(dp) :: change(n), above, below, slopes(2), own
    real(dp), parameter :: h = 1.0e-5_dp

    change = wave(rank * n + cells / 3)**3
    call energy(n, steps, 30, start + h * change, above)
    call energy(n, steps, 30, start - h * change, below)
    slopes(1) = (above - below) / (2 * h)
    own = sum(gradient * change)
    call mpi_allreduce(own, slopes(2), 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    if (rank /= 0) return
    print "(a,es22.14,a,es22.14)", "slope by differences ", slopes(1), ", by the gradient ", slopes(2)
    if (.not. abs(slopes(1) - slopes(2)) <= 1.0e-6_dp * abs(slopes(1))) error stop "the gradient is wrong"
  end subroutine check_slope

  subroutine keep_or_compare()
    real(dp) :: kept(cells), difference
    integer :: unit

    if (ranks == 1) then
      open (newunit=unit, file=file, form="unformatted", status="replace", action="write")
      write (unit) all
    else
      open (newunit=unit, file=file, form="unformatted", status="old", action="read")
      read (unit) kept
      difference = norm2(all - kept) / norm2(kept)
      print "(a,es10.2)", "gradient against that of one process, relative difference", difference
      if (.not. difference <= 1.0e-12_dp) error stop "the gradients differ"
    end if
    close (unit)
  end subroutine keep_or_compare

end program burgers_halo
