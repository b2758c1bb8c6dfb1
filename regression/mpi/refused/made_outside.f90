! A persistent request that is made before the head is called.
! head: m::f(y)/(x)
! refused: C0410
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
    integer :: ierr
    sb(1:n) = x
    call mpi_startall(2, q, ierr)
    call mpi_waitall(2, q, mpi_statuses_ignore, ierr)
    y = x*rb(1:n)
  end subroutine
end module
