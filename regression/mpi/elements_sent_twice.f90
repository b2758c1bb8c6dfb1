! head: m::f(y)/(x)
! processes: 1 3
! What is sent may have elements twice: each is then added to twice.
module m
  use mpi
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(12)
    integer :: me, processes, ierr, overlapping, near, at, request
    real(8) :: b(3), c(4), doubled(4)
    character :: packed(64)
    integer :: right, left
    call mpi_comm_rank(MPI_COMM_WORLD, me, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, processes, ierr)
    right = mod(me + 1, processes)
    left = mod(me + processes - 1, processes)
    call mpi_type_indexed(2, [2, 2], [0, 1], MPI_DOUBLE_PRECISION, overlapping, ierr)
    call mpi_type_commit(overlapping, ierr)
    call mpi_type_create_resized(MPI_DOUBLE_PRECISION, 0_MPI_ADDRESS_KIND, 0_MPI_ADDRESS_KIND, near, ierr)
    call mpi_type_commit(near, ierr)
    b = x**2
    call mpi_sendrecv(b, 1, overlapping, right, 1, y, 4, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE, ierr)
    b(2) = b(2)*b(3)
    call mpi_isend(b(2), 4, near, right, 2, MPI_COMM_WORLD, request, ierr)
    call mpi_recv(y(5), 4, MPI_DOUBLE_PRECISION, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
    at = 0
    call mpi_pack(b, 1, overlapping, packed, 64, at, MPI_COMM_WORLD, ierr)
    at = 0
    call mpi_unpack(packed, 64, at, doubled, 4, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
    c = doubled*[1, 2, 3, 4]
    call mpi_allreduce(c, y(9), 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    call mpi_type_free(overlapping, ierr)
    call mpi_type_free(near, ierr)
  end subroutine f
end module m
