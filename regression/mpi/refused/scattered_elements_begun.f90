! A message that isn't waited for, of elements that aren't next to each other.
! head: m::f(v)/(u)
! refused: C0410
module m
  use mpi_f08
  implicit none
contains
  subroutine f(u, v)
    real(8), intent(in) :: u(2, 3)
    real(8), intent(out) :: v(3)
    real(8), asynchronous :: g(2, 3)
    type(MPI_Request) :: q
    g = u**2
    call MPI_Irecv(g(2, :), 3, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_SELF, q)
    call MPI_Send(u(:, 1:1), 2, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_SELF)
    call MPI_Wait(q, MPI_STATUS_IGNORE)
    v = g(1, :)*g(2, :)
  end subroutine f
end module m
