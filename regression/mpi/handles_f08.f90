! head: m::f(y)/(x)
! size: n=3
! The same with handles that are objects, and are compared.
module m
  use mpi_f08
  implicit none
  type(mpi_comm) :: duplicate = MPI_COMM_NULL
contains
  subroutine f(n, x, y, comm)
    integer, intent(in) :: n
    type(mpi_comm), intent(in) :: comm
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: part(n)
    integer :: ranks
    call mpi_comm_size(comm, ranks)
    if (ranks == 1) error stop
    if (duplicate == MPI_COMM_NULL) call mpi_comm_dup(comm, duplicate)
    if (.not. duplicate /= MPI_COMM_NULL) error stop
    part = x**2
    call mpi_allreduce(part, y, n, MPI_DOUBLE_PRECISION, MPI_SUM, duplicate)
    part = y*x
    call mpi_allreduce(part, y, n, MPI_DOUBLE_PRECISION, MPI_SUM, comm)
  end subroutine
end module
