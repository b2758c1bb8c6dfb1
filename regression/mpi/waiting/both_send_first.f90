! Both processes of a pair send before they receive: it goes well only while messages are buffered.
! head: m::f(y)/(x)
! size: n=3
module m
  use mpi
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: me, np, ierr
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    call mpi_send(x, n, mpi_double_precision, modulo(me + 1, np), 1, mpi_comm_world, ierr)
    call mpi_recv(y, n, mpi_double_precision, modulo(me - 1, np), 1, mpi_comm_world, mpi_status_ignore, ierr)
    y = y*x
  end subroutine
end module
