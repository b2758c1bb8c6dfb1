! Partners and requests are arguments of the procedures that begin and complete.
! head: m::f(y)/(x)
! size: n=5
! processes: 3
module m
  use mpi
  implicit none
contains
  subroutine post(a, b, req, to, from)
    real(8), intent(in) :: a(:)
    real(8), intent(inout) :: b(:)
    integer, intent(out) :: req(:)
    integer, intent(in) :: to, from
    integer :: ierr
    call mpi_irecv(b, size(b), mpi_double_precision, from, 1, mpi_comm_world, req(1), ierr)
    call mpi_isend(a, size(a), mpi_double_precision, to, 1, mpi_comm_world, req(2), ierr)
  end subroutine
  subroutine fin(req)
    integer, intent(inout) :: req(:)
    integer :: ierr
    call mpi_waitall(size(req), req, mpi_statuses_ignore, ierr)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: me, np, ierr, req(2)
    real(8) :: a(n), b(n)
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    a = x
    call post(a, b, req, modulo(me+1,np), modulo(me-1,np))
    call fin(req)
    y = b*x
  end subroutine
end module
