! Two arrays that a datatype of their addresses has both of, with the first one as the buffer.
! head: m::f(y)/(x)
! refused: C0405
! times: 2
module m
  use mpi
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: u(n), v(n)
    integer(mpi_address_kind) :: at(2)
    integer :: me, np, both, ierr
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    u = x**2
    v = 2*x
    call mpi_get_address(u, at(1), ierr)
    call mpi_get_address(v, at(2), ierr)
    call mpi_type_create_hindexed(2, [n, n], at, mpi_double_precision, both, ierr)
    call mpi_type_commit(both, ierr)
    call mpi_bcast(mpi_bottom, 1, both, 0, mpi_comm_world, ierr)
    at = at - at(1)
    call mpi_type_create_hindexed(2, [n, n], at, mpi_double_precision, both, ierr)
    call mpi_type_commit(both, ierr)
    call mpi_bcast(u, 1, both, 0, mpi_comm_world, ierr)
    y = u*v
  end subroutine
end module
