! Datatypes of all kinds that are made of reals alone.
! head: m::f(y)/(x)
! size: n=4
! processes: 1 2
module m
  use mpi
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n, n)
    real(8), intent(out) :: y(n, n)
    integer :: t(9), k, me, np, ierr, q, st(mpi_status_size)
    integer(mpi_address_kind) :: at(2), low, extent
    real(8) :: u(n, n), v(n, n)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    at = [8, 48]
    low = 0
    extent = 16
    call mpi_type_create_hvector(n, 1, 8_mpi_address_kind*n, mpi_double_precision, t(1), ierr)
    call mpi_type_create_hindexed(2, [2, 3], at, mpi_double_precision, t(2), ierr)
    call mpi_type_create_indexed_block(2, 2, [3, 7], mpi_double_precision, t(3), ierr)
    call mpi_type_create_hindexed_block(2, 2, at, mpi_double_precision, t(4), ierr)
    call mpi_type_create_resized(mpi_double_precision, low, extent, t(5), ierr)
    call mpi_type_create_struct(2, [1, 2], at, [t(3), mpi_double_precision], t(6), ierr)
    call mpi_type_create_darray(2, 1, 2, [n, n], [mpi_distribute_block, mpi_distribute_cyclic], &
      [mpi_distribute_dflt_darg, 1], [2, 1], mpi_order_fortran, mpi_double_precision, t(7), ierr)
    call mpi_type_dup(t(2), t(8), ierr)
    call mpi_type_contiguous(2, t(5), t(9), ierr)
    y = x
    do k = 1, 9
      call mpi_type_commit(t(k), ierr)
      u = y*k*x
      v = x
      call mpi_isend(u, 1, t(k), modulo(me + 1, np), k, mpi_comm_world, q, ierr)
      call mpi_recv(v, 1, t(k), modulo(me - 1, np), k, mpi_comm_world, st, ierr)
      call mpi_wait(q, mpi_status_ignore, ierr)
      y = y + v*u/k
      call mpi_bcast(y, 1, t(k), 0, mpi_comm_world, ierr)
      call mpi_type_free(t(k), ierr)
    end do
  end subroutine
end module
