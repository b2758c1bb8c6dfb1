! Reals that are sent as bytes.
! head: m::f(y)/(x)
! refused: C0405
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
    call mpi_sendrecv(x, 8*n, mpi_byte, modulo(me + 1, np), 1, y, 8*n, mpi_byte, modulo(me - 1, np), 1, mpi_comm_world, &
      mpi_status_ignore, ierr)
    y = y*x
  end subroutine
end module
