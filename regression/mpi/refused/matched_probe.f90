! What is received by a matched probe.
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
    integer :: me, np, ierr, to, from
    integer :: msg, st(mpi_status_size), q
    real(8) :: a(n)
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    to = modulo(me+1, np); from = modulo(me-1, np)
    a = x*x
    call mpi_isend(a, n, mpi_double_precision, to, 1, mpi_comm_world, q, ierr)
    call mpi_mprobe(from, 1, mpi_comm_world, msg, st, ierr)
    call mpi_mrecv(y, n, mpi_double_precision, msg, st, ierr)
    call mpi_wait(q, mpi_status_ignore, ierr)
    y = y*y*x
  end subroutine
end module
