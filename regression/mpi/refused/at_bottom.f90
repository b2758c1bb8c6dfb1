! Both arrays of a message at MPI_BOTTOM, by the addresses of some of their elements; no other message is passed.
! head: m::f(y)/(x)
! refused: C0405
module m
  use mpi
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: u(0:n+1), v(0:n+1), uv
    integer :: me, np, ierr, st(MPI_STATUS_SIZE), l, r, tsend, trecv, lens(2), i
    integer(kind=MPI_ADDRESS_KIND) :: d(2)
    call mpi_comm_rank(MPI_COMM_WORLD, me, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, np, ierr)
    r = modulo(me + 1, np)
    l = modulo(me - 1, np)
    u = 0
    v = 0
    u(1:n) = x
    v(1:n) = x**2
    lens = 1
    call mpi_get_address(u(n), d(1), ierr)
    call mpi_get_address(v(n), d(2), ierr)
    call mpi_type_create_hindexed(2, lens, d, MPI_DOUBLE_PRECISION, tsend, ierr)
    call mpi_type_commit(tsend, ierr)
    call mpi_get_address(u(0), d(1), ierr)
    call mpi_get_address(v(0), d(2), ierr)
    call mpi_type_create_hindexed(2, lens, d, MPI_DOUBLE_PRECISION, trecv, ierr)
    call mpi_type_commit(trecv, ierr)
    call mpi_sendrecv(MPI_BOTTOM, 1, tsend, r, 1, MPI_BOTTOM, 1, trecv, l, 1, MPI_COMM_WORLD, st, ierr)
    do i = 1, n
      y(i) = u(i-1)*v(i) + v(i-1)
    end do
    call mpi_type_free(tsend, ierr)
    call mpi_type_free(trecv, ierr)
  end subroutine f
end module m
