! Persistent requests that one procedure makes, one uses and one frees, among them one for integers.
! head: m::f(y)/(x)
! size: n=5
! processes: 3
module m
  use mpi
  implicit none
  real(8) :: sb(100), rb(100)
  integer :: q(3), numbers(2)
contains
  subroutine setup(n, to, from)
    integer, intent(in) :: n, to, from
    integer :: ierr
    call mpi_recv_init(rb, n, mpi_double_precision, from, 1, mpi_comm_world, q(1), ierr)
    call mpi_send_init(sb, n, mpi_double_precision, to, 1, mpi_comm_world, q(2), ierr)
    call mpi_send_init(numbers, 1, mpi_integer, mpi_proc_null, 1, mpi_comm_world, q(3), ierr)
  end subroutine
  subroutine exchange
    integer :: ierr
    call mpi_startall(3, q, ierr)
    call mpi_waitall(3, q, mpi_statuses_ignore, ierr)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: me, np, ierr, to, from, i
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    to = modulo(me+1, np); from = modulo(me-1, np)
    call setup(n, to, from)
    y = x
    do i = 1, 3
      sb(1:n) = y*x
      call exchange
      y = y*rb(1:n)
    end do
    do i = 1, 3
      call mpi_request_free(q(i), ierr)
    end do
  end subroutine
end module
