! Halos of an explicit diffusion, exchanged by nonblocking messages in a module procedure, in a time loop.
! head: halo::run(j)/(x)
! size: n=5 steps=4
! processes: 1 3
module halo
  use mpi
  implicit none
  integer :: comm = MPI_COMM_WORLD
contains
  subroutine exchange(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(0:n+1)
    integer :: req(4), ierr, rank, np, left, right
    call mpi_comm_rank(comm, rank, ierr)
    call mpi_comm_size(comm, np, ierr)
    left = rank - 1
    if (left < 0) left = MPI_PROC_NULL
    right = rank + 1
    if (right >= np) right = MPI_PROC_NULL
    call mpi_irecv(u(0), 1, MPI_DOUBLE_PRECISION, left, 1, comm, req(1), ierr)
    call mpi_irecv(u(n+1), 1, MPI_DOUBLE_PRECISION, right, 2, comm, req(2), ierr)
    call mpi_isend(u(n), 1, MPI_DOUBLE_PRECISION, right, 1, comm, req(3), ierr)
    call mpi_isend(u(1), 1, MPI_DOUBLE_PRECISION, left, 2, comm, req(4), ierr)
    call mpi_waitall(4, req, MPI_STATUSES_IGNORE, ierr)
  end subroutine exchange

  subroutine step(n, u, dt)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(0:n+1)
    real(8), intent(in) :: dt
    real(8) :: new(n)
    integer :: i
    call exchange(n, u)
    do i = 1, n
      new(i) = u(i) + dt * (u(i-1) - 2*u(i) + u(i+1)) + 0.01d0 * u(i)**2
    end do
    u(1:n) = new
  end subroutine step

  subroutine run(n, steps, x, j)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: j
    real(8) :: u(0:n+1), own
    integer :: k, ierr
    u = 0
    u(1:n) = x
    do k = 1, steps
      call step(n, u, 0.1d0)
    end do
    own = sum(u(1:n)**2)
    call mpi_allreduce(own, j, 1, MPI_DOUBLE_PRECISION, MPI_SUM, comm, ierr)
  end subroutine run
end module halo
