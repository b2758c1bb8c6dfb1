! Collective procedures between the neighbours of topologies: a torus, of which a side may be one process long, a line with ends,
! and a graph whose edges have directions. Blocking, and without waiting.
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
    real(8), asynchronous :: halo(n, 4), blocks(n, 4), line(n, 2), come(3), go(3), all(n, 3)
    integer :: me, np, ierr, q(2), torus, ends, graph, counts(4), starts(4), from(3), to(3), i
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    call mpi_cart_create(mpi_comm_world, 2, [np, 1], [.true., .true.], .false., torus, ierr)
    call mpi_cart_create(mpi_comm_world, 1, [np], [.false.], .false., ends, ierr)
    call mpi_neighbor_allgather(x, n, mpi_double_precision, halo, n, mpi_double_precision, torus, ierr)
    y = x*(halo(:, 1) - 2*halo(:, 2)**2 + halo(:, 3)*halo(:, 4))
    do i = 1, 4
      blocks(:, i) = i*y
    end do
    call mpi_neighbor_alltoall(blocks, n, mpi_double_precision, halo, n, mpi_double_precision, torus, ierr)
    y = y + sum(halo, 2)*halo(:, 1)
    line = 0.5d0
    counts = [2, n, 0, 0]
    starts = [0, n, 0, 0]
    call mpi_neighbor_alltoallv(blocks, [n, 2], [n, 0], mpi_double_precision, line, counts, starts, mpi_double_precision, &
      ends, ierr)
    y = y*line(:, 1) + line(:, 2)
    from = [modulo(me - 1, np), me, modulo(me - 1, np)]
    to = [modulo(me + 1, np), me, modulo(me + 1, np)]
    call mpi_dist_graph_create_adjacent(mpi_comm_world, 3, from, [1, 2, 3], 3, to, [1, 2, 3], mpi_info_null, .false., graph, ierr)
    call mpi_neighbor_alltoall([y(1), x(1)*x(2), sin(y(2))], 1, mpi_double_precision, come, 1, mpi_double_precision, graph, ierr)
    y(1:3) = y(1:3) + come
    counts(:3) = [n, 2, 1]
    starts(:3) = [0, n, 2*n]
    all = 0.25d0
    call mpi_neighbor_allgatherv(y, merge(n, n, .true.), mpi_double_precision, all, [n, n, n], starts, mpi_double_precision, &
      graph, ierr)
    y = y + all(:, 1)*all(:, 2) + all(:, 3)
    call mpi_ineighbor_allgather(y, n, mpi_double_precision, halo, n, mpi_double_precision, torus, q(1), ierr)
    counts = [n, 2, 2, n]
    starts = [n, 0, 0, n]
    call mpi_ineighbor_alltoallv(blocks, counts, starts, mpi_double_precision, line, counts(3:), starts(3:), mpi_double_precision, &
      ends, q(2), ierr)
    call mpi_waitall(2, q, mpi_statuses_ignore, ierr)
    y = y*halo(:, 1) + halo(:, 4) + line(:, 1)*line(:, 2)
    go = [y(1), x(1)*y(2), y(3)]
    counts = n
    starts = [0, n, 2*n, 0]
    call mpi_ineighbor_alltoall(go, 1, mpi_double_precision, come, 1, mpi_double_precision, graph, q(1), ierr)
    call mpi_ineighbor_allgatherv(blocks, n, mpi_double_precision, all, counts, starts, mpi_double_precision, graph, q(2), ierr)
    call mpi_wait(q(2), mpi_status_ignore, ierr)
    call mpi_wait(q(1), mpi_status_ignore, ierr)
    y(1:3) = y(1:3) + come**2
    y = y + all(:, 1)*all(:, 2)*all(:, 3)
  end subroutine
end module
