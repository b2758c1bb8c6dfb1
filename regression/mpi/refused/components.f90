! A component by which the whole object is meant.
! head: m::f(y)/(x)
! refused: C0405
module m
  use mpi
  implicit none
  type point
    sequence
    real(8) :: x, y
    real(8) :: k
  end type
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: t, me, np, ierr, q, st(mpi_status_size)
    integer(mpi_address_kind) :: at(2)
    type(point) :: p(n), r(n)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    at = [0, 16]
    call mpi_type_contiguous(3, mpi_double_precision, t, ierr)
    call mpi_type_commit(t, ierr)
    p%x = x
    p%y = x**2
    p%k = x(1)
    call mpi_isend(p(1)%x, n, t, modulo(me + 1, np), 1, mpi_comm_world, q, ierr)
    call mpi_recv(r(1)%x, n, t, modulo(me - 1, np), 1, mpi_comm_world, st, ierr)
    call mpi_wait(q, mpi_status_ignore, ierr)
    y = r%x*r%y *2
  end subroutine
end module
