! Rows of an array by a vector type in a ring of a Cartesian communicator that is freed at the end.
! head: m::f(y)/(x)
! size: n=3
! processes: 3
module m
  use mpi_f08
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n, n)
    real(8), intent(out) :: y(n, n)
    type(MPI_Datatype) :: row
    type(MPI_Comm) :: ring
    type(MPI_Request) :: r(2)
    real(8) :: u(n, n)
    integer :: rank, left, right, np
    call MPI_Comm_size(MPI_COMM_WORLD, np)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [np], [.true.], .false., ring)
    call MPI_Comm_rank(ring, rank)
    call MPI_Cart_shift(ring, 0, 1, left, right)
    call MPI_Type_vector(n, 1, n, MPI_DOUBLE_PRECISION, row)
    call MPI_Type_commit(row)
    u = x**2
    call MPI_Irecv(u(1, 1), 1, row, left, 5, ring, r(1))
    call MPI_Isend(u(n, 1), 1, row, right, 5, ring, r(2))
    call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
    y = u * x
    call MPI_Comm_free(ring)
  end subroutine f
end module m
