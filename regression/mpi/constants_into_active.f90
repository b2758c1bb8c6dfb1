! Constants are received into part of what depends on the input: the rest of it keeps its derivative, and they have none.
! head: m::f(y)/(x)
! size: n=5
! processes: 1 3
module m
  use mpi
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: b(n)
    integer :: me, np, pair, ierr
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    call mpi_type_vector(2, 1, 3, mpi_double_precision, pair, ierr)
    call mpi_type_commit(pair, ierr)
    b = 0.5d0 + me
    y = x**2
    call mpi_sendrecv(b, 1, pair, modulo(me+1, np), 5, y, 1, pair, modulo(me-1, np), 5, mpi_comm_world, mpi_status_ignore, ierr)
    y = y*x
    if (me == 0 .and. np > 1) then
      call mpi_send(b, 1, mpi_double_precision, np-1, 6, mpi_comm_world, ierr)
    else if (me == np-1 .and. np > 1) then
      call mpi_recv(y(n), 1, mpi_double_precision, 0, 6, mpi_comm_world, mpi_status_ignore, ierr)
      y = y*x(1)
    end if
  end subroutine f
end module m
