! Components and variables of common blocks with a block for each process, by collective calls of all kinds: how far they reach
! depends on how many processes there are.
! head: m::f(y)/(x)
! size: n=4
! processes: 2
module m
  use mpi
  implicit none
  type cells
    real(8) :: before, u(8), v(2, 4), behind
  end type
contains
  subroutine spread(c, k, at, np)
    type(cells), intent(inout) :: c
    integer, intent(in) :: k, at, np
    integer :: counts(np), displs(np), i, ierr
    counts = k
    displs = [(k*i, i=0, np - 1)]
    call mpi_allgatherv(mpi_in_place, 0, mpi_double_precision, c%u(at), counts, displs, &
      mpi_double_precision, mpi_comm_world, ierr)
    call mpi_alltoallv(c%v(1, 2), counts, displs, mpi_double_precision, c%u, counts, displs, &
      mpi_double_precision, mpi_comm_world, ierr)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(cells) :: c, d
    real(8) :: first, all(6), last
    integer :: np, ierr, req, counts(2)
    common /shared/ first, all, last
    call mpi_comm_size(mpi_comm_world, np, ierr)
    c%before = x(1)
    c%u = x(2)
    c%v = x(3)
    c%v(1, :) = x**2
    c%behind = x(4)
    d = c
    first = x(1)
    last = x(2)
    all = 0
    call mpi_allgather(x, 2, mpi_double_precision, c%u(3), 2, mpi_double_precision, mpi_comm_world, ierr)
    call mpi_alltoall(c%v, 2, mpi_double_precision, d%u(2:5), 2, mpi_double_precision, mpi_comm_world, ierr)
    call mpi_iallgather(x(2), 3, mpi_double_precision, all, 3, mpi_double_precision, mpi_comm_world, req, ierr)
    call mpi_wait(req, mpi_status_ignore, ierr)
    call mpi_gather(c%u(1), 3, mpi_double_precision, d%v, 3, mpi_double_precision, 1, mpi_comm_world, ierr)
    call mpi_scatter(d%v(1, 1), n, mpi_double_precision, d%u, n, mpi_double_precision, 0, mpi_comm_world, ierr)
    counts = [3, 2]
    call mpi_reduce_scatter(c%u(2), all, counts, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
    call mpi_reduce_scatter_block(d%u, c%v(1, 2), 3, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
    call spread(c, 2, 4, np)
    y = x*c%u(:n)*all(2)*c%before + d%u(:n)**2*c%behind*first + c%v(1, :)*d%v(2, :)*last + c%u(5:)*d%u(5:)
  end subroutine
end module
