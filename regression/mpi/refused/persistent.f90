! Persistent requests.
! head: m::f(y)/(x)
! refused: C0405
module m
  use mpi
  implicit none
  real(8) :: sb(100), rb(100)
  integer :: q(2)
contains
  subroutine setup(n, to, from)
    integer, intent(in) :: n, to, from
    integer :: ierr
    call mpi_recv_init(rb, n, mpi_double_precision, from, 1, mpi_comm_world, q(1), ierr)
    call mpi_send_init(sb, n, mpi_double_precision, to, 1, mpi_comm_world, q(2), ierr)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: me, np, ierr, to, from
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    to = modulo(me+1, np); from = modulo(me-1, np)
    call setup(n, to, from)
    y = x
    sb(1:n) = y
    call mpi_start(q(1), ierr)
    call mpi_start(q(2), ierr)
    call mpi_wait(q(1), mpi_status_ignore, ierr)
    call mpi_wait(q(2), mpi_status_ignore, ierr)
    y = y*rb(1:n)
  end subroutine
end module
