! Array components by which others of the object are meant, too: by their number or by a datatype. A variable by which
! a common block is meant.
! head: m::f(y)/(x)
! refused: C0405
! times: 5
module m
  use mpi
  implicit none
  integer, parameter :: k = 3
  type t
    sequence
    real(8) :: a(k), b(k)
  end type
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(6)
    real(8), intent(out) :: y(6)
    type(t) :: p, q, r
    real(8) :: u, w(2)
    common /c/ u, w
    integer :: me, np, v, ierr, to, from
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    to = modulo(me + 1, np)
    from = modulo(me - 1, np)
    call mpi_type_vector(2, 2, 3, mpi_double_precision, v, ierr)
    call mpi_type_commit(v, ierr)
    p%a = x(1:3)**2
    p%b = x(4:6)**2
    q = p
    r = p
    call mpi_sendrecv(p%a(1), 2*k, mpi_double_precision, to, 1, q%a(1), 2*k, mpi_double_precision, from, 1, &
      mpi_comm_world, mpi_status_ignore, ierr)
    call mpi_bcast(q%a, 4, mpi_double_precision, 0, mpi_comm_world, ierr)
    call mpi_bcast(q%a(2), 3, mpi_double_precision, 0, mpi_comm_world, ierr)
    call mpi_sendrecv(q%a(2), 1, v, to, 1, r%a(1), 1, v, from, 1, mpi_comm_world, mpi_status_ignore, ierr)
    u = x(1)
    w = x(2)
    call mpi_bcast(u, 3, mpi_double_precision, 0, mpi_comm_world, ierr)
    y(1:3) = r%a*u*w(2)
    y(4:6) = r%b*x(1:3)
  end subroutine
end module
