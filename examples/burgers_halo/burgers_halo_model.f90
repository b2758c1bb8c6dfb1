!> The viscous Burgers equation on a periodic line that is shared out between processes: each has a part of the cells and
!> gets the values beside it from its neighbours, with messages that don't wait.
module burgers_halo_model
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use mpi
  implicit none

  !> Time step times the advection's coefficient over twice the width of a cell, and times the viscosity over its square.
  real(dp), parameter :: advection = 0.05_dp, diffusion = 0.2_dp

contains

  !> Fills u(0) and u(n+1) with the values of the neighbours' outermost cells.
  subroutine exchange(n, u)
    integer, intent(in) :: n
    real(dp), intent(inout) :: u(0:n + 1)
    integer :: rank, ranks, left, right, requests(4), error

    call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
    call mpi_comm_size(MPI_COMM_WORLD, ranks, error)
    left = modulo(rank - 1, ranks)
    right = modulo(rank + 1, ranks)
    call mpi_irecv(u(0), 1, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, requests(1), error)
    call mpi_irecv(u(n + 1), 1, MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, requests(2), error)
    call mpi_isend(u(n), 1, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, requests(3), error)
    call mpi_isend(u(1), 1, MPI_DOUBLE_PRECISION, left, 2, MPI_COMM_WORLD, requests(4), error)
    call mpi_waitall(4, requests, MPI_STATUSES_IGNORE, error)
  end subroutine exchange

  !> One explicit step with central differences of the fluxes.
  subroutine step(n, u)
    integer, intent(in) :: n
    real(dp), intent(inout) :: u(0:n + 1)
    real(dp) :: next(n)
    integer :: i

    call exchange(n, u)
    do i = 1, n
      next(i) = u(i) - advection * (u(i + 1)**2 - u(i - 1)**2) + diffusion * (u(i + 1) - 2 * u(i) + u(i - 1))
    end do
    do i = 1, n
      u(i) = next(i)
    end do
  end subroutine step

  !> The mean energy of all processes' cells after some steps from the profile `start`, whose part of this process has n
  !> cells. The adjoint keeps so many snapshots, or what as many steps save in their place.
  subroutine energy(n, steps, snapshots, start, mean)
    integer, intent(in) :: n, steps, snapshots
    real(dp), intent(in) :: start(n)
    real(dp), intent(out) :: mean
    real(dp) :: u(0:n + 1), own, all
    integer :: k, ranks, error

    u = 0
    u(1:n) = start
    !$ad checkpoint schedule(mixed) snapshots(snapshots)
    do k = 1, steps
      call step(n, u)
    end do
    own = sum(u(1:n)**2)
    call mpi_allreduce(own, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    call mpi_comm_size(MPI_COMM_WORLD, ranks, error)
    mean = all / (2 * n * ranks)
  end subroutine energy

end module burgers_halo_model
