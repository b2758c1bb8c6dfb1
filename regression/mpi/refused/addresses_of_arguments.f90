! A datatype that another procedure makes of the addresses of its arguments.
! head: m::f(y)/(x)
! refused: C0410
module m
  use mpi
  implicit none
contains
  subroutine both(u, v, t)
    real(8), intent(in) :: u(:), v(:)
    integer, intent(out) :: t
    integer :: ierr
    integer(mpi_address_kind) :: d(2)
    call mpi_get_address(u, d(1), ierr)
    call mpi_get_address(v, d(2), ierr)
    call mpi_type_create_hindexed(2, (/size(u), size(v)/), d, mpi_double_precision, t, ierr)
    call mpi_type_commit(t, ierr)
  end subroutine both
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: u(n), v(n)
    integer :: t, ierr
    u = x
    v = x**2
    call both(u, v, t)
    call mpi_bcast(mpi_bottom, 1, t, 0, mpi_comm_world, ierr)
    call mpi_type_free(t, ierr)
    y = u*v
  end subroutine f
end module m
