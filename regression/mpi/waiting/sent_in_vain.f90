! Nobody receives the second message: the program ends before it is missed, and its adjoint waits for a derivative.
! head: m::f(y)/(x)
! size: n=3
module m
  use mpi
  implicit none
contains
  subroutine exchange(n, x, y, me, np)
    integer, intent(in) :: n, me, np
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: ierr, to(2), from(2)
    call mpi_isend(x, n, mpi_double_precision, modulo(me + 1, np), 1, mpi_comm_world, to(1), ierr)
    call mpi_isend(x, n, mpi_double_precision, modulo(me - 1, np), &
      2, mpi_comm_world, to(2), ierr)
    call mpi_irecv(y, n, mpi_double_precision, modulo(me - 1, np), 1, mpi_comm_world, from(1), ierr)
    call mpi_wait(from(1), mpi_status_ignore, ierr)
    call mpi_waitall(2, to, mpi_statuses_ignore, ierr)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: me, np, ierr
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    call exchange(n, x, y, me, np)
    y = y*x
  end subroutine
end module
