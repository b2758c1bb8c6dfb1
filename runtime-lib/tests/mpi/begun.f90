! Cases of what is begun and waited for: persistent requests, nonblocking collective procedures; neighbours of topologies; and
! communicators of the same processes.
module begun
  use mpi
  use costate_mpi
  implicit none
  private
  public :: persistent, nonblocking, neighbours, same_processes, types_apart
  integer, parameter :: n = 120, wp = kind(1d0), m = 5
  integer, parameter :: dp = mpi_double_precision
  integer, save :: q(4)
contains

  ! Halos of a ring, twice with the same requests; two messages with one tag where there are two processes.
  subroutine persistent(all, mode, s, t)
    logical, intent(in) :: all
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    real(wp), save :: kept(20)
    integer :: l, u, w, rank, ranks, ie, i
    w = mpi_comm_world
    call mpi_comm_rank(w, rank, ie)
    call mpi_comm_size(w, ranks, ie)
    l = modulo(rank - 1, ranks); u = modulo(rank + 1, ranks)
    select case (mode)
    case ('d')
      call costate_mpi_recv_init_d(s(1), m, dp, l, 1, w, q(1), ie)
      call costate_mpi_send_init_d(s(11), m, dp, u, 1, w, q(2), ie)
      call costate_mpi_recv_init_d(s(21), m, dp, u, 1, w, q(3), ie)
      call costate_mpi_send_init_d(s(31), m, dp, l, 1, w, q(4), ie)
      call started(s, t)
      s(11:20) = s(1:10)*s(21:30)
      t(11:20) = s(1:10)*t(21:30) + t(1:10)*s(21:30)
      call started(s, t)
      do i = 1, 4
        call costate_mpi_request_free_d(q(i), ie)
      end do
    case ('f')
      call costate_mpi_recv_init_fwd(s(1), m, dp, l, 1, w, q(1), ie)
      call costate_mpi_send_init_fwd(s(11), m, dp, u, 1, w, q(2), ie)
      call costate_mpi_recv_init_fwd(s(21), m, dp, u, 1, w, q(3), ie)
      call costate_mpi_send_init_fwd(s(31), m, dp, l, 1, w, q(4), ie)
      call started_fwd(s)
      kept = [s(1:10), s(21:30)]
      s(11:20) = s(1:10)*s(21:30)
      call started_fwd(s)
      do i = 1, 4
        call costate_mpi_request_free_fwd(q(i), ie)
        if (q(i) /= mpi_request_null) stop 'a freed request is left'
      end do
    case ('b')
      do i = 4, 1, -1
        call costate_mpi_request_free_b(q(i), ie)
      end do
      call started_b(s, t)
      t(21:30) = t(21:30) + kept(1:10)*t(11:20)
      t(1:10) = t(1:10) + kept(11:20)*t(11:20)
      t(11:20) = 0
      call started_b(s, t)
      call costate_mpi_send_init_b(s(31), m, dp, l, 1, w, q(4), ie)
      call costate_mpi_recv_init_b(s(21), m, dp, u, 1, w, q(3), ie)
      call costate_mpi_send_init_b(s(11), m, dp, u, 1, w, q(2), ie)
      call costate_mpi_recv_init_b(s(1), m, dp, l, 1, w, q(1), ie)
    end select
  contains
    subroutine started(s, t)
      real(wp), intent(inout) :: s(n), t(n)
      call costate_mpi_leaving_d(s, t, n)
      call costate_mpi_awaiting_d(s(21:), t(21:), -1)
      if (all) then
        call costate_mpi_startall_d(4, q, ie)
      else
        call costate_mpi_startall_d(3, q, ie)
        call costate_mpi_awaiting_d(s, t, -1)
        call costate_mpi_leaving_d(s(31:), t(31:), 10)
        call costate_mpi_start_d(q(4), ie)
      end if
      call costate_mpi_waitall_d(4, q, mpi_statuses_ignore, ie)
      call costate_mpi_arrived_d(s, t, n)
    end subroutine
    subroutine started_fwd(s)
      real(wp), intent(inout) :: s(n)
      call costate_mpi_leaving_fwd(s, n)
      call costate_mpi_awaiting_fwd(s(21:), -1)
      if (all) then
        call costate_mpi_startall_fwd(4, q, ie)
      else
        call costate_mpi_startall_fwd(3, q, ie)
        call costate_mpi_awaiting_fwd(s, -1)
        call costate_mpi_leaving_fwd(s(31:), 10)
        call costate_mpi_start_fwd(q(4), ie)
      end if
      call costate_mpi_waitall_fwd(4, q, mpi_statuses_ignore, ie)
      call costate_mpi_arrived_fwd(s, n)
    end subroutine
    subroutine started_b(s, t)
      real(wp), intent(inout) :: s(n), t(n)
      call costate_mpi_arrived_b(s, t, n)
      call costate_mpi_waitall_b(4, q, mpi_statuses_ignore, ie)
      if (all) then
        call costate_mpi_startall_b(4, q, ie)
      else
        call costate_mpi_start_b(q(4), ie)
        call costate_mpi_leaving_b(s(31:), t(31:), 10)
        call costate_mpi_awaiting_b(s, t, -1)
        call costate_mpi_startall_b(3, q, ie)
      end if
      call costate_mpi_awaiting_b(s(21:), t(21:), -1)
      call costate_mpi_leaving_b(s, t, n)
    end subroutine
  end subroutine

  ! Two of them are pending at once, and are waited for in another order.
  subroutine nonblocking(which, mode, s0, s, t)
    integer, intent(in) :: which
    character, intent(in) :: mode
    real(wp), intent(inout) :: s0(n), s(n), t(n)
    integer :: w, r(2), ie, op, ranks, k
    integer, allocatable :: counts(:), starts(:)
    w = mpi_comm_world
    op = mpi_sum
    if (which == 1) op = mpi_prod
    call mpi_comm_size(w, ranks, ie)
    counts = [(1, k = 1, ranks)]; starts = [(2*k, k = 0, ranks - 1)]
    if (mode == 'd') then
      if (which < 2) then
        call costate_mpi_iallreduce_d(s(1), t(1), s(11), t(11), m, dp, op, w, r(1), ie)
        call costate_mpi_iscan_d(s(21), t(21), s(31), t(31), m, dp, mpi_sum, w, r(2), ie)
      else if (which == 2) then
        call costate_mpi_iallgather_d(s(1), t(1), 2, dp, s(11), t(11), 2, dp, w, r(1), ie)
        call costate_mpi_ibcast_d(s(81), t(81), m, dp, ranks - 1, w, r(2), ie)
      else
        call costate_mpi_ialltoallv_in_place_d(mpi_in_place, counts, starts, dp, s(1), t(1), counts, starts, dp, w, r(1), ie)
        call costate_mpi_igatherv_d(s(81), t(81), 1, dp, s(91), t(91), counts, starts, dp, 0, w, r(2), ie)
      end if
      call costate_mpi_wait_d(r(2), mpi_status_ignore, ie)
      call costate_mpi_wait_d(r(1), mpi_status_ignore, ie)
    else if (mode == 'f') then
      if (which < 2) then
        call mpi_iallreduce(s(1), s(11), m, dp, op, w, r(1), ie)
        call mpi_iscan(s(21), s(31), m, dp, mpi_sum, w, r(2), ie)
      else if (which == 2) then
        call mpi_iallgather(s(1), 2, dp, s(11), 2, dp, w, r(1), ie)
        call mpi_ibcast(s(81), m, dp, ranks - 1, w, r(2), ie)
      else
        call mpi_ialltoallv(mpi_in_place, counts, starts, dp, s(1), counts, starts, dp, w, r(1), ie)
        call mpi_igatherv(s(81), 1, dp, s(91), counts, starts, dp, 0, w, r(2), ie)
      end if
      call costate_mpi_wait_fwd(r(2), mpi_status_ignore, ie)
      call costate_mpi_wait_fwd(r(1), mpi_status_ignore, ie)
    else
      call costate_mpi_wait_b(r(1), mpi_status_ignore, ie)
      call costate_mpi_wait_b(r(2), mpi_status_ignore, ie)
      if (which < 2) then
        call costate_mpi_iscan_b(s0(21), t(21), s(31), t(31), m, dp, mpi_sum, w, r(2), ie)
        call costate_mpi_iallreduce_b(s0(1), t(1), s(11), t(11), m, dp, op, w, r(1), ie)
      else if (which == 2) then
        call costate_mpi_ibcast_b(s(81), t(81), m, dp, ranks - 1, w, r(2), ie)
        call costate_mpi_iallgather_b(s(1), t(1), 2, dp, s(11), t(11), 2, dp, w, r(1), ie)
      else
        call costate_mpi_igatherv_b(s(81), t(81), 1, dp, s(91), t(91), counts, starts, dp, 0, w, r(2), ie)
        call costate_mpi_ialltoallv_in_place_b(mpi_in_place, counts, starts, dp, s(1), t(1), counts, starts, dp, w, r(1), ie)
      end if
    end if
  end subroutine

  ! On a ring, a line with ends, and a graph with two edges between the same processes.
  subroutine neighbours(which, mode, s, t)
    integer, intent(in) :: which
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer, save :: topology
    integer :: w, ie, rank, ranks, u, l, r(4)
    w = mpi_comm_world
    call mpi_comm_rank(w, rank, ie)
    call mpi_comm_size(w, ranks, ie)
    u = modulo(rank + 1, ranks); l = modulo(rank - 1, ranks)
    if (mode /= 'b') then
      if (which < 2) then
        call mpi_cart_create(w, 1, [ranks], [which == 0], .false., topology, ie)
      else
        call mpi_dist_graph_create_adjacent(w, 3, [l, l, rank], [1, 1, 1], 3, [u, u, rank], [1, 1, 1], mpi_info_null, &
          .false., topology, ie)
      end if
    end if
    if (which == 3) then
      call begun_with_neighbours()
    else if (mode == 'd') then
      call costate_mpi_neighbor_allgather_d(s(1), t(1), m, dp, s(11), t(11), m, dp, topology, ie)
      call costate_mpi_neighbor_alltoall_d(s(11), t(11), 2, dp, s(31), t(31), 2, dp, topology, ie)
      call costate_mpi_neighbor_alltoallv_d(s(31), t(31), [1, 1, 2], [3, 0, 1], dp, s(51), t(51), &
        recv_counts(), [5, 3, 0], dp, topology, ie)
      call costate_mpi_neighbor_allgatherv_d(s(51), t(51), 2, dp, s(71), t(71), [2, 2, 2], [4, 0, 2], dp, topology, ie)
    else if (mode == 'f') then
      call mpi_neighbor_allgather(s(1), m, dp, s(11), m, dp, topology, ie)
      call mpi_neighbor_alltoall(s(11), 2, dp, s(31), 2, dp, topology, ie)
      call mpi_neighbor_alltoallv(s(31), [1, 1, 2], [3, 0, 1], dp, s(51), recv_counts(), [5, 3, 0], dp, topology, ie)
      call mpi_neighbor_allgatherv(s(51), 2, dp, s(71), [2, 2, 2], [4, 0, 2], dp, topology, ie)
    else
      call costate_mpi_neighbor_allgatherv_b(s(51), t(51), 2, dp, s(71), t(71), [2, 2, 2], [4, 0, 2], dp, topology, ie)
      call costate_mpi_neighbor_alltoallv_b(s(31), t(31), [1, 1, 2], [3, 0, 1], dp, s(51), t(51), &
        recv_counts(), [5, 3, 0], dp, topology, ie)
      call costate_mpi_neighbor_alltoall_b(s(11), t(11), 2, dp, s(31), t(31), 2, dp, topology, ie)
      call costate_mpi_neighbor_allgather_b(s(1), t(1), m, dp, s(11), t(11), m, dp, topology, ie)
    end if
    if (mode /= 'f') call mpi_comm_free(topology, ie)
  contains
    ! In the order of the sources.
    function recv_counts()
      integer :: recv_counts(3)
      recv_counts = merge([1, 1, 2], [1, 1, 0], which >= 2)
    end function

    ! All are pending at once.
    subroutine begun_with_neighbours()
      if (mode == 'd') then
        call costate_mpi_ineighbor_allgather_d(s(1), t(1), m, dp, s(11), t(11), m, dp, topology, r(1), ie)
        call costate_mpi_ineighbor_alltoall_d(s(81), t(81), 2, dp, s(31), t(31), 2, dp, topology, r(2), ie)
        call costate_mpi_ineighbor_alltoallv_d(s(91), t(91), [1, 1, 2], [3, 0, 1], dp, s(51), t(51), &
          recv_counts(), [5, 3, 0], dp, topology, r(3), ie)
        call costate_mpi_ineighbor_allgatherv_d(s(101), t(101), 2, dp, s(71), t(71), [2, 2, 2], [4, 0, 2], dp, topology, r(4), ie)
        call costate_mpi_waitall_d(4, r, mpi_statuses_ignore, ie)
      else if (mode == 'f') then
        call mpi_ineighbor_allgather(s(1), m, dp, s(11), m, dp, topology, r(1), ie)
        call mpi_ineighbor_alltoall(s(81), 2, dp, s(31), 2, dp, topology, r(2), ie)
        call mpi_ineighbor_alltoallv(s(91), [1, 1, 2], [3, 0, 1], dp, s(51), recv_counts(), [5, 3, 0], dp, topology, r(3), ie)
        call mpi_ineighbor_allgatherv(s(101), 2, dp, s(71), [2, 2, 2], [4, 0, 2], dp, topology, r(4), ie)
        call costate_mpi_waitall_fwd(4, r, mpi_statuses_ignore, ie)
      else
        call costate_mpi_waitall_b(4, r, mpi_statuses_ignore, ie)
        call costate_mpi_ineighbor_allgatherv_b(s(101), t(101), 2, dp, s(71), t(71), [2, 2, 2], [4, 0, 2], dp, topology, r(4), ie)
        call costate_mpi_ineighbor_alltoallv_b(s(91), t(91), [1, 1, 2], [3, 0, 1], dp, s(51), t(51), &
          recv_counts(), [5, 3, 0], dp, topology, r(3), ie)
        call costate_mpi_ineighbor_alltoall_b(s(81), t(81), 2, dp, s(31), t(31), 2, dp, topology, r(2), ie)
        call costate_mpi_ineighbor_allgather_b(s(1), t(1), m, dp, s(11), t(11), m, dp, topology, r(1), ie)
      end if
    end subroutine
  end subroutine

  ! Messages with one tag in two communicators of the same processes, received in another order than they were sent.
  subroutine same_processes(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer, save :: a, b
    integer :: ie, rank, ranks, u, l, r(2), again
    call mpi_comm_rank(mpi_comm_world, rank, ie)
    call mpi_comm_size(mpi_comm_world, ranks, ie)
    u = modulo(rank + 1, ranks); l = modulo(rank - 1, ranks)
    if (mode == 'b') then
      call costate_mpi_comm_free_b(again, ie)
      if (again /= b) stop 'another communicator'
      call costate_mpi_comm_free_b(again, ie)
      call costate_mpi_waitall_b(2, r, mpi_statuses_ignore, ie)
      call costate_mpi_recv_b(s(31), t(31), m, dp, l, 3, a, mpi_status_ignore, ie)
      call costate_mpi_recv_b(s(21), t(21), m, dp, mpi_any_source, 3, b, mpi_status_ignore, ie)
      call costate_mpi_isend_b(s(11), t(11), m, dp, u, 3, b, r(2), ie)
      call costate_mpi_isend_b(s(1), t(1), m, dp, u, 3, a, r(1), ie)
      return
    end if
    call mpi_comm_dup(mpi_comm_world, a, ie)
    call mpi_comm_split(mpi_comm_world, 0, rank, b, ie)
    if (mode == 'd') then
      call costate_mpi_communicator_d(a)
      call costate_mpi_communicator(b)
      call costate_mpi_isend_d(s(1), t(1), m, dp, u, 3, a, r(1), ie)
      call costate_mpi_isend_d(s(11), t(11), m, dp, u, 3, b, r(2), ie)
      call costate_mpi_recv_d(s(21), t(21), m, dp, mpi_any_source, 3, b, mpi_status_ignore, ie)
      call costate_mpi_recv_d(s(31), t(31), m, dp, l, 3, a, mpi_status_ignore, ie)
      call costate_mpi_waitall_d(2, r, mpi_statuses_ignore, ie)
      again = a; call costate_mpi_comm_free_d(again, ie)
      again = b; call costate_mpi_comm_free_d(again, ie)
    else
      call costate_mpi_communicator_fwd(a)
      call costate_mpi_communicator_fwd(b)
      call costate_mpi_isend_fwd(s(1), m, dp, u, 3, a, r(1), ie)
      call costate_mpi_isend_fwd(s(11), m, dp, u, 3, b, r(2), ie)
      call costate_mpi_recv_fwd(s(21), m, dp, mpi_any_source, 3, b, mpi_status_ignore, ie)
      call costate_mpi_recv_fwd(s(31), m, dp, l, 3, a, mpi_status_ignore, ie)
      call costate_mpi_waitall_fwd(2, r, mpi_statuses_ignore, ie)
      again = a; call costate_mpi_comm_free_fwd(again, ie)
      again = b; call costate_mpi_comm_free_fwd(again, ie)
    end if
  end subroutine

  ! Each process sends and receives another datatype, or nothing of any.
  subroutine types_apart(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer, allocatable, dimension(:) :: go, come, from, to, sent, received, ones, all
    integer :: ie, rank, ranks, w, k, apart, pair
    w = mpi_comm_world
    call mpi_comm_rank(w, rank, ie)
    call mpi_comm_size(w, ranks, ie)
    call mpi_type_vector(2, 1, 2, dp, apart, ie)
    call mpi_type_contiguous(2, dp, pair, ie)
    call mpi_type_commit(apart, ie)
    call mpi_type_commit(pair, ie)
    go = [(1, k = 1, ranks)]
    come = go
    ones = go
    all = spread(apart, 1, ranks)
    from = [(32*k, k = 0, ranks - 1)]
    to = [(16*k, k = ranks - 1, 0, -1)]
    sent = [(merge(apart, pair, modulo(k, 2) == 0), k = 1, ranks)]
    received = [(merge(pair, dp, modulo(k, 2) == 0), k = 1, ranks)]
    where (received == dp) come = 2
    if (ranks > 2) then
      k = modulo(rank + 1, ranks) + 1
      go(k) = 0; sent(k) = mpi_integer
      k = modulo(rank - 1, ranks) + 1
      come(k) = 0; received(k) = mpi_character
    end if
    if (mode == 'd') then
      call costate_mpi_alltoallw_d(s(1), t(1), go, from, sent, s(41), t(41), come, to, received, w, ie)
      call costate_mpi_alltoallw_in_place_d(mpi_in_place, go, from, sent, s(1), t(1), ones, from, all, w, ie)
      call costate_mpi_alltoallw_d(s(1), t(1), ones, from, all, s(41), t(41), ones, from, all, w, ie)
    else if (mode == 'f') then
      call mpi_alltoallw(s(1), go, from, sent, s(41), come, to, received, w, ie)
      call mpi_alltoallw(mpi_in_place, go, from, sent, s(1), ones, from, all, w, ie)
      call mpi_alltoallw(s(1), ones, from, all, s(41), ones, from, all, w, ie)
    else
      call costate_mpi_alltoallw_b(s(1), t(1), ones, from, all, s(41), t(41), ones, from, all, w, ie)
      call costate_mpi_alltoallw_in_place_b(mpi_in_place, go, from, sent, s(1), t(1), ones, from, all, w, ie)
      call costate_mpi_alltoallw_b(s(1), t(1), go, from, sent, s(41), t(41), come, to, received, w, ie)
    end if
    call mpi_type_free(apart, ie)
    call mpi_type_free(pair, ie)
  end subroutine
end module
