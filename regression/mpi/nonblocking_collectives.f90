! Collective procedures that don't wait, with work and messages in between.
! head: m::f(y)/(x)
! size: n=4
! processes: 1 3
module m
  use mpi
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: sums(n), largest(n), products(n), first(n), up(n), before(n), work(n), halo(n), share, part(n)
    real(8), allocatable :: all(:), blocks(:), swapped(:)
    integer :: me, np, ierr, q(9), r(2), i
    integer, allocatable :: counts(:), starts(:)
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    allocate(all(n*np), blocks(np), swapped(np), counts(np), starts(np))
    counts = n
    starts = [(n*i, i = 0, np - 1)]
    work = x**2
    call mpi_iallreduce(work, sums, n, mpi_double_precision, mpi_sum, mpi_comm_world, q(1), ierr)
    call mpi_iallreduce(x, largest, n, mpi_double_precision, mpi_max, mpi_comm_world, q(2), ierr)
    call mpi_irecv(halo, n, mpi_double_precision, modulo(me - 1, np), 3, mpi_comm_world, r(1), ierr)
    call mpi_isend(x, n, mpi_double_precision, modulo(me + 1, np), 3, mpi_comm_world, r(2), ierr)
    call mpi_waitall(2, r, mpi_statuses_ignore, ierr)
    first = x*halo
    call mpi_ibcast(first, n, mpi_double_precision, 0, mpi_comm_world, q(3), ierr)
    call mpi_iscan(work, up, n, mpi_double_precision, mpi_sum, mpi_comm_world, q(4), ierr)
    products = 2*x
    call mpi_ireduce_scatter_block(mpi_in_place, blocks, 0, mpi_double_precision, mpi_sum, mpi_comm_world, q(9), ierr)
    call mpi_wait(q(9), mpi_status_ignore, ierr)
    y = sin(x)
    call mpi_waitall(4, q, mpi_statuses_ignore, ierr)
    y = y + sums*largest + first*up
    before = y
    call mpi_iallgatherv(before, n, mpi_double_precision, all, counts, starts, mpi_double_precision, mpi_comm_world, q(1), ierr)
    blocks = [(x(1)*i, i = 1, np)]
    call mpi_ialltoall(blocks, 1, mpi_double_precision, swapped, 1, mpi_double_precision, mpi_comm_world, q(2), ierr)
    call mpi_ibarrier(mpi_comm_world, q(3), ierr)
    call mpi_iallreduce(mpi_in_place, products, n, mpi_double_precision, mpi_prod, mpi_comm_world, q(4), ierr)
    call mpi_waitall(4, q, mpi_statuses_ignore, ierr)
    y = all(n*(np - 1) + 1:)*sum(swapped) + products
    call mpi_iscatter(all, n, mpi_double_precision, part, n, mpi_double_precision, np - 1, mpi_comm_world, q(5), ierr)
    share = sum(x)
    call mpi_wait(q(5), mpi_status_ignore, ierr)
    y = y + part
    call mpi_igather(share, 1, mpi_double_precision, swapped, 1, mpi_double_precision, 0, mpi_comm_world, q(6), ierr)
    call mpi_ireduce(x, work, n, mpi_double_precision, mpi_sum, 0, mpi_comm_world, q(7), ierr)
    call mpi_iexscan(mpi_in_place, before, n, mpi_double_precision, mpi_sum, mpi_comm_world, q(8), ierr)
    call mpi_waitall(3, q(6:8), mpi_statuses_ignore, ierr)
    if (me == 0) y = y + swapped(np)*work
    if (me > 0) y = y*before
  end subroutine
end module
