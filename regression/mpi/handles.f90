! head: m::f(y)/(x)
! size: n=3
! Communicators and datatypes that are made on first use, copied, and kept in modules and objects; a communicator and a root that
! nothing is said of are all processes and the first.
module handles
  use mpi
  implicit none
  type :: grid
    integer :: comm = MPI_COMM_NULL, steps = 0
  end type
  type(grid) :: own
  integer :: duplicate = MPI_COMM_NULL, copy, pair = MPI_DATATYPE_NULL, everyone
  integer :: group = MPI_GROUP_NULL, requests(2) = MPI_REQUEST_NULL, ranks = 0
contains
  subroutine provide(comm)
    integer, intent(inout) :: comm
    integer :: ierr
    if (comm == MPI_COMM_NULL) call mpi_comm_dup(MPI_COMM_WORLD, comm, ierr)
  end subroutine
  subroutine start(g, comm)
    type(grid), intent(inout) :: g
    integer, intent(in) :: comm
    integer :: made, ierr
    g%steps = g%steps + 1
    if (g%comm /= MPI_COMM_NULL) return
    call mpi_comm_split(comm, 0, 0, made, ierr)
    g%comm = made
    call mpi_type_contiguous(2, MPI_DOUBLE_PRECISION, pair, ierr)
    call mpi_type_commit(pair, ierr)
    call mpi_comm_group(made, group, ierr)
  end subroutine
end module
module m
  use handles
  implicit none
contains
  subroutine f(n, x, y, comm, root)
    integer, intent(in) :: n, comm, root
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: part(n), total(n)
    integer :: ierr
    call mpi_comm_size(comm, ranks, ierr)
    if (ranks == 1 .or. root /= 0) error stop
    call provide(duplicate)
    copy = duplicate
    call start(own, comm)
    part = x**2
    call mpi_allreduce(part, total, n, MPI_DOUBLE_PRECISION, MPI_SUM, copy, ierr)
    part = sin(x)*total
    call mpi_bcast(part, n, MPI_DOUBLE_PRECISION, root, own%comm, ierr)
    call mpi_allreduce(part, y, n, MPI_DOUBLE_PRECISION, MPI_SUM, everyone, ierr)
    y = y + total
  end subroutine
end module
