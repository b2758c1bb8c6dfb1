! A model of which one process has no part: messages and sums among the others.
module m
  use mpi
  implicit none
  integer :: comm = MPI_COMM_NULL
contains
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: beside, here
    integer :: me, processes, ierr
    call mpi_comm_rank(comm, me, ierr)
    call mpi_comm_size(comm, processes, ierr)
    here = x**2
    call mpi_sendrecv(here, 1, MPI_DOUBLE_PRECISION, mod(me + 1, processes), 1, beside, 1, MPI_DOUBLE_PRECISION, &
        mod(me + processes - 1, processes), 1, comm, MPI_STATUS_IGNORE, ierr)
    here = x*beside
    call mpi_allreduce(here, y, 1, MPI_DOUBLE_PRECISION, MPI_SUM, comm, ierr)
  end subroutine f
end module m
