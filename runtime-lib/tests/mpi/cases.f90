! Procedures of MPI with their derivatives, each called forward, for a tangent and backward. The state of a process is one array.
module cases
  use mpi
  use costate_mpi
  use begun
  implicit none
  private
  public :: n, cases_number, act, case_name, is_smooth
  integer, parameter :: n = 120, wp = kind(1d0), m = 5
  integer, parameter :: dp = mpi_double_precision
  integer, parameter :: cases_number = 65
  integer :: rank, ranks, ie
contains

  function case_name(which) result(name)
    integer, intent(in) :: which
    character(40) :: name
    write (name, '(a, i0)') 'case ', which
  end function

  ! Whether differences tell the derivative.
  logical function is_smooth(which)
    integer, intent(in) :: which
    is_smooth = which /= 24 .and. which /= 29
  end function

  ! s0: the state before; mode d: s and its tangent t; f: s; b: the adjoint t.
  subroutine act(which, mode, s0, s, t)
    integer, intent(in) :: which
    character, intent(in) :: mode
    real(wp), intent(inout) :: s0(n), s(n), t(n)
    call mpi_comm_rank(mpi_comm_world, rank, ie)
    call mpi_comm_size(mpi_comm_world, ranks, ie)
    select case (which)
    case (1); call halo(mode, s, t, .false.)
    case (2); call halo(mode, s, t, .true.)
    case (3); call chain(mode, s, t)
    case (4); call shift(mode, s, t)
    case (5); call replace(mode, s, t)
    case (6); call anybody(mode, s, t)
    case (7); call anybody_later(mode, s, t)
    case (8); call same_tag(mode, s, t, .true.)
    case (9); call same_tag(mode, s, t, .false.)
    case (10); call strided(mode, s, t)
    case (11); call complex_ring(mode, s, t)
    case (12); call nothing(mode, s, t)
    case (13); call broadcast(mode, s, t)
    case (14); call tested(mode, s, t)
    case (15); call shorter(mode, s, t)
    case (16); call split_comm(mode, s, t)
    case (17); call some_of(mode, s, t)
    case (18); call other_sends(mode, s, t)
    case (19); call single_ring(mode, s, t)
    case (20:24); call reductions(which - 20, mode, s0, s, t)
    case (25:29); call all_reductions(which - 25, mode, s0, s, t)
    case (30:32); call scans(which - 30, mode, s0, s, t)
    case (33:35); call cut(which - 33, mode, s0, s, t)
    case (36:37); call gathers(which == 37, mode, s, t)
    case (38:39); call scatters(which == 39, mode, s, t)
    case (40:41); call all_gathers(which == 41, mode, s, t)
    case (42:43); call alltoalls(which == 43, mode, s, t)
    case (44); call complex_sums(mode, s0, s, t)
    case (45); call pairs(mode, s0, s, t)
    case (46); call structured(mode, s, t)
    case (47:52); call in_place_reductions(which - 47, mode, s0, s, t)
    case (53); call wait_out_of_order(mode, s, t)
    case (54:55); call persistent(which == 54, mode, s, t)
    case (56:59); call nonblocking(which - 56, mode, s0, s, t)
    case (60:63); call neighbours(which - 60, mode, s, t)
    case (64); call same_processes(mode, s, t)
    case (65); call types_apart(mode, s, t)
    end select
  end subroutine

  integer function op_of(which)
    integer, intent(in) :: which
    integer, parameter :: ops(0:4) = [mpi_sum, mpi_max, mpi_min, mpi_prod, mpi_max]
    op_of = ops(which)
  end function

  subroutine halo(mode, s, t, each)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    logical, intent(in) :: each
    integer :: r(4), l, u, w
    r = mpi_request_null
    l = modulo(rank - 1, ranks); u = modulo(rank + 1, ranks); w = mpi_comm_world
    select case (mode)
    case ('d')
      call costate_mpi_irecv_d(s(1), t(1), m, dp, l, 1, w, r(1), ie)
      call costate_mpi_irecv_d(s(41), t(41), m, dp, u, 2, w, r(2), ie)
      call costate_mpi_isend_d(s(31), t(31), m, dp, u, 1, w, r(3), ie)
      call costate_mpi_isend_d(s(11), t(11), m, dp, l, 2, w, r(4), ie)
      call costate_mpi_waitall_d(4, r, mpi_statuses_ignore, ie)
      call costate_mpi_arrived_d(s, t, n)
    case ('f')
      call costate_mpi_irecv_fwd(s(1), m, dp, l, 1, w, r(1), ie)
      call costate_mpi_irecv_fwd(s(41), m, dp, u, 2, w, r(2), ie)
      call costate_mpi_isend_fwd(s(31), m, dp, u, 1, w, r(3), ie)
      call costate_mpi_isend_fwd(s(11), m, dp, l, 2, w, r(4), ie)
      if (each) then
        call costate_mpi_wait_fwd(r(1), mpi_status_ignore, ie)
        call costate_mpi_arrived_fwd(s(1:20), 20)
        call costate_mpi_wait_fwd(r(2), mpi_status_ignore, ie)
        call costate_mpi_wait_fwd(r(3), mpi_status_ignore, ie)
        call costate_mpi_wait_fwd(r(4), mpi_status_ignore, ie)
        call costate_mpi_arrived_fwd(s, -1)
        call costate_mpi_arrived_fwd(s(21:), -1)
        call costate_mpi_arrived_fwd(s(61:), -1)
      else
        call costate_mpi_waitall_fwd(4, r, mpi_statuses_ignore, ie)
        call costate_mpi_arrived_fwd(s, n)
      end if
    case ('b')
      if (each) then
        call costate_mpi_arrived_b(s(61:), t(61:), -1)
        call costate_mpi_arrived_b(s(21:), t(21:), -1)
        call costate_mpi_arrived_b(s, t, -1)
        call costate_mpi_wait_b(r(4), mpi_status_ignore, ie)
        call costate_mpi_wait_b(r(3), mpi_status_ignore, ie)
        call costate_mpi_wait_b(r(2), mpi_status_ignore, ie)
        call costate_mpi_arrived_b(s(1:20), t(1:20), 20)
        call costate_mpi_wait_b(r(1), mpi_status_ignore, ie)
      else
        call costate_mpi_arrived_b(s, t, n)
        call costate_mpi_waitall_b(4, r, mpi_statuses_ignore, ie)
      end if
      call costate_mpi_isend_b(s(11), t(11), m, dp, l, 2, w, r(4), ie)
      call costate_mpi_isend_b(s(31), t(31), m, dp, u, 1, w, r(3), ie)
      call costate_mpi_irecv_b(s(41), t(41), m, dp, u, 2, w, r(2), ie)
      call costate_mpi_irecv_b(s(1), t(1), m, dp, l, 1, w, r(1), ie)
    end select
  end subroutine

  subroutine chain(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: status(mpi_status_size), w
    w = mpi_comm_world
    if (mode == 'd') then
      if (rank > 0) call costate_mpi_recv_d(s, t, 2*m, dp, rank - 1, 7, w, status, ie)
      t(2) = t(2)*s(3) + s(2)*t(3); s(2) = s(2)*s(3)
      if (rank < ranks - 1) call costate_mpi_send_d(s, t, 2*m, dp, rank + 1, 7, w, ie)
    else if (mode == 'f') then
      if (rank > 0) call costate_mpi_recv_fwd(s, 2*m, dp, rank - 1, 7, w, status, ie)
      call keep(s(2)); call keep(s(3))
      s(2) = s(2)*s(3)
      if (rank < ranks - 1) call mpi_send(s, 2*m, dp, rank + 1, 7, w, ie)
    else
      if (rank < ranks - 1) call costate_mpi_send_b(s, t, 2*m, dp, rank + 1, 7, w, ie)
      s(3) = kept(); s(2) = kept()
      t(3) = t(3) + s(2)*t(2); t(2) = t(2)*s(3)
      if (rank > 0) call costate_mpi_recv_b(s, t, 2*m, dp, rank - 1, 7, w, status, ie)
    end if
  end subroutine

  subroutine keep(x)
    real(wp), intent(in) :: x
    real(wp) :: y
    y = stack(x, .true.)
  end subroutine

  real(wp) function kept()
    kept = stack(0d0, .false.)
  end function

  real(wp) function stack(x, push)
    real(wp), intent(in) :: x
    logical, intent(in) :: push
    integer, save :: top = 0
    real(wp), save :: values(1000)
    if (push) then
      top = top + 1; values(top) = x; stack = x
    else
      stack = values(top); top = top - 1
    end if
  end function

  subroutine shift(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: u, l, w
    w = mpi_comm_world
    u = rank + 1; if (u == ranks) u = mpi_proc_null
    l = rank - 1; if (l < 0) l = mpi_proc_null
    if (mode == 'd') call costate_mpi_sendrecv_d(s(1), t(1), m, dp, u, 3, s(21), t(21), m, dp, l, mpi_any_tag, w, &
      mpi_status_ignore, ie)
    if (mode == 'f') call costate_mpi_sendrecv_fwd(s(1), m, dp, u, 3, s(21), m, dp, l, mpi_any_tag, w, mpi_status_ignore, ie)
    if (mode == 'b') call costate_mpi_sendrecv_b(s(1), t(1), m, dp, u, 3, s(21), t(21), m, dp, l, mpi_any_tag, w, &
      mpi_status_ignore, ie)
  end subroutine

  subroutine replace(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: u, l, w, k
    w = mpi_comm_world
    do k = 1, 2
      u = modulo(rank + 1, ranks); l = modulo(rank - 1, ranks)
      if ((k == 2) .neqv. (mode == 'b')) then
        if (rank == ranks - 1) u = mpi_proc_null
        if (rank == 0) l = mpi_proc_null
      end if
      if (mode == 'd') call costate_mpi_sendrecv_replace_d(s, t, m, dp, u, 3, l, 3, w, mpi_status_ignore, ie)
      if (mode == 'f') call costate_mpi_sendrecv_replace_fwd(s, m, dp, u, 3, l, 3, w, mpi_status_ignore, ie)
      if (mode == 'b') call costate_mpi_sendrecv_replace_b(s, t, m, dp, u, 3, l, 3, w, mpi_status_ignore, ie)
    end do
  end subroutine

  ! The first process receives from whoever comes, and puts it where the status says.
  subroutine anybody(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: status(mpi_status_size), w, k, at, got
    integer, save :: from(100)
    real(wp) :: x(m + 1), x_d(m + 1)
    w = mpi_comm_world
    if (rank > 0) then
      if (mode == 'd') call costate_mpi_ssend_d(s, t, m, dp, 0, 100 + rank, w, ie)
      if (mode == 'f') call mpi_ssend(s, m, dp, 0, 100 + rank, w, ie)
      if (mode == 'b') call costate_mpi_ssend_b(s, t, m, dp, 0, 100 + rank, w, ie)
      return
    end if
    do k = 1, ranks - 1
      x = 0; x_d = 0
      if (mode == 'd') then
        call costate_mpi_recv_d(x, x_d, m + 1, dp, mpi_any_source, mpi_any_tag, w, status, ie)
      else if (mode == 'f') then
        call costate_mpi_recv_fwd(x, m + 1, dp, mpi_any_source, mpi_any_tag, w, status, ie)
        from(k) = status(mpi_source)
      end if
      if (mode == 'b') then
        at = m*from(ranks - k)
        x_d(:m) = t(at+1:at+m); t(at+1:at+m) = 0
        call costate_mpi_recv_b(x, x_d, m + 1, dp, mpi_any_source, mpi_any_tag, w, status, ie)
        if (any(x_d /= 0)) stop 'not zero'
      else
        call mpi_get_count(status, dp, got, ie)
        if (got /= m .or. status(mpi_tag) /= 100 + status(mpi_source)) stop 'wrong status'
        at = m*status(mpi_source)
        s(at+1:at+m) = x(:m); t(at+1:at+m) = x_d(:m)
      end if
    end do
  end subroutine

  subroutine anybody_later(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: status(mpi_status_size), w, k, at, r(10), done
    integer, save :: from(100), which(100)
    real(wp) :: x(m, 10), x_d(m, 10)
    w = mpi_comm_world
    r = mpi_request_null
    if (ranks > 8) return
    if (rank > 0) then
      do k = 1, 2
        if (mode == 'd') call costate_mpi_send_d(s(k), t(k), m, dp, 0, 4 + k, w, ie)
        if (mode == 'f') call mpi_send(s(k), m, dp, 0, 4 + k, w, ie)
        if (mode == 'b') call costate_mpi_send_b(s(3-k), t(3-k), m, dp, 0, 7 - k, w, ie)
      end do
    else if (ranks > 1) then
      x = 0; x_d = 0
      if (mode == 'd') then
        call post('d', ranks - 1)
        do k = 1, ranks - 1
          call costate_mpi_waitany_d(ranks - 1, r, done, status, ie)
          call place(status(mpi_source), done, 1)
          call costate_mpi_recv_d(x(:, done), x_d(:, done), m, dp, status(mpi_source), mpi_any_tag, w, status, ie)
          call place(status(mpi_source), done, 2)
        end do
      else if (mode == 'f') then
        call post('f', ranks - 1)
        do k = 1, ranks - 1
          call costate_mpi_waitany_fwd(ranks - 1, r, done, status, ie)
          call costate_mpi_arrived_fwd(x, size(x))
          from(k) = status(mpi_source); which(k) = done
          call place(status(mpi_source), done, 1)
          call costate_mpi_recv_fwd(x(:, done), m, dp, status(mpi_source), mpi_any_tag, w, status, ie)
          call place(status(mpi_source), done, 2)
        end do
      else
        do k = ranks - 1, 1, -1
          at = 2*m*from(k); done = which(k)
          x_d(:, done) = x_d(:, done) + t(at+m+1:at+2*m); t(at+m+1:at+2*m) = 0
          call costate_mpi_recv_b(x(:, done), x_d(:, done), m, dp, from(k), mpi_any_tag, w, status, ie)
          x_d(:, done) = x_d(:, done) + t(at+1:at+m); t(at+1:at+m) = 0
          call costate_mpi_arrived_b(x, x_d, size(x))
          call costate_mpi_waitany_b(ranks - 1, r, done, status, ie)
        end do
        call post('b', ranks - 1)
        if (any(x_d /= 0)) stop 'not zero'
      end if
    end if
  contains
    subroutine post(mode, number)
      character, intent(in) :: mode
      integer, intent(in) :: number
      integer :: k
      do k = 1, number
        if (mode == 'd') call costate_mpi_irecv_d(x(1, k), x_d(1, k), m, dp, mpi_any_source, 5, w, r(k), ie)
        if (mode == 'f') call costate_mpi_irecv_fwd(x(1, k), m, dp, mpi_any_source, 5, w, r(k), ie)
        if (mode == 'b') call costate_mpi_irecv_b(x(1, number+1-k), x_d(1, number+1-k), m, dp, mpi_any_source, 5, w, &
          r(number+1-k), ie)
      end do
    end subroutine
    subroutine place(source, done, part)
      integer, intent(in) :: source, done, part
      integer :: at
      at = 2*m*source + m*(part - 1)
      s(at+1:at+m) = x(:, done); t(at+1:at+m) = x_d(:, done)
    end subroutine
  end subroutine

  ! Several messages between the same processes with one tag; received by blocking calls or not.
  subroutine same_tag(mode, s, t, blocking)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    logical, intent(in) :: blocking
    integer :: w, k, i, r(3), u, l
    w = mpi_comm_world; r = mpi_request_null
    u = modulo(rank + 1, ranks); l = modulo(rank - 1, ranks)
    ! A message to the process itself may not be complete before it is received.
    if (ranks == 1) return
    if (mode /= 'b') then
      do k = 1, 3
        if (mode == 'd') call costate_mpi_isend_d(s(10*k), t(10*k), m, dp, u, 3, w, r(k), ie)
        if (mode == 'f') call costate_mpi_isend_fwd(s(10*k), m, dp, u, 3, w, r(k), ie)
      end do
      if (blocking) then
        do k = 1, 3
          if (mode == 'd') call costate_mpi_recv_d(s(60+10*k), t(60+10*k), m, dp, l, 3, w, mpi_status_ignore, ie)
          if (mode == 'f') call costate_mpi_recv_fwd(s(60+10*k), m, dp, l, 3, w, mpi_status_ignore, ie)
        end do
        do i = 1, 3
          k = merge(1, merge(3, 2, i == 2), i == 3)
          if (mode == 'd') call costate_mpi_wait_d(r(k), mpi_status_ignore, ie)
          if (mode == 'f') call costate_mpi_wait_fwd(r(k), mpi_status_ignore, ie)
        end do
      else
        if (mode == 'd') call costate_mpi_waitall_d(3, r, mpi_statuses_ignore, ie)
        do k = 1, 3
          if (mode == 'd') call costate_mpi_irecv_d(s(60+10*k), t(60+10*k), m, dp, l, 3, w, r(k), ie)
          if (mode == 'f') then
            call costate_mpi_wait_fwd(r(k), mpi_status_ignore, ie)
            call costate_mpi_irecv_fwd(s(60+10*k), m, dp, l, 3, w, r(k), ie)
          end if
        end do
        if (mode == 'd') call costate_mpi_waitall_d(3, r(3:1:-1), mpi_statuses_ignore, ie)
        if (mode == 'f') then
          call costate_mpi_waitall_fwd(3, r(3:1:-1), mpi_statuses_ignore, ie)
          call costate_mpi_arrived_fwd(s, n)
        end if
      end if
    else
      if (blocking) then
        do k = 1, 3
          call costate_mpi_wait_b(r(k), mpi_status_ignore, ie)
        end do
        do k = 3, 1, -1
          call costate_mpi_recv_b(s(60+10*k), t(60+10*k), m, dp, l, 3, w, mpi_status_ignore, ie)
        end do
      else
        call costate_mpi_arrived_b(s, t, n)
        call costate_mpi_waitall_b(3, r(3:1:-1), mpi_statuses_ignore, ie)
        do k = 3, 1, -1
          call costate_mpi_irecv_b(s(60+10*k), t(60+10*k), m, dp, l, 3, w, r(k), ie)
          call costate_mpi_wait_b(r(k), mpi_status_ignore, ie)
        end do
      end if
      do k = 3, 1, -1
        call costate_mpi_isend_b(s(10*k), t(10*k), m, dp, u, 3, w, r(k), ie)
      end do
    end if
  end subroutine

  ! Receives are waited for in another order than that of posting, with a blocking one posted later.
  subroutine wait_out_of_order(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: w, k, r(3), u, l
    w = mpi_comm_world; r = mpi_request_null
    u = modulo(rank + 1, ranks); l = modulo(rank - 1, ranks)
    if (ranks == 1) return
    if (mode == 'd') then
      do k = 1, 2
        call costate_mpi_irecv_d(s(60+10*k), t(60+10*k), m, dp, merge(l, mpi_any_source, k == 2), 3, w, r(k), ie)
      end do
      do k = 1, 3
        call costate_mpi_isend_d(s(10*k), t(10*k), m, dp, u, 3, w, r(3), ie)
        call costate_mpi_wait_d(r(3), mpi_status_ignore, ie)
      end do
      call costate_mpi_recv_d(s(90), t(90), m, dp, l, 3, w, mpi_status_ignore, ie)
      call costate_mpi_wait_d(r(2), mpi_status_ignore, ie)
      call costate_mpi_wait_d(r(1), mpi_status_ignore, ie)
    else if (mode == 'f') then
      do k = 1, 2
        call costate_mpi_irecv_fwd(s(60+10*k), m, dp, merge(l, mpi_any_source, k == 2), 3, w, r(k), ie)
      end do
      do k = 1, 3
        call costate_mpi_isend_fwd(s(10*k), m, dp, u, 3, w, r(3), ie)
        call costate_mpi_wait_fwd(r(3), mpi_status_ignore, ie)
      end do
      call costate_mpi_recv_fwd(s(90), m, dp, l, 3, w, mpi_status_ignore, ie)
      call costate_mpi_wait_fwd(r(2), mpi_status_ignore, ie)
      call costate_mpi_arrived_fwd(s, n)
      call costate_mpi_wait_fwd(r(1), mpi_status_ignore, ie)
      call costate_mpi_arrived_fwd(s, n)
    else
      call costate_mpi_arrived_b(s, t, n)
      call costate_mpi_wait_b(r(1), mpi_status_ignore, ie)
      call costate_mpi_arrived_b(s, t, n)
      call costate_mpi_wait_b(r(2), mpi_status_ignore, ie)
      call costate_mpi_recv_b(s(90), t(90), m, dp, l, 3, w, mpi_status_ignore, ie)
      do k = 3, 1, -1
        call costate_mpi_wait_b(r(3), mpi_status_ignore, ie)
        call costate_mpi_isend_b(s(10*k), t(10*k), m, dp, u, 3, w, r(3), ie)
      end do
      do k = 2, 1, -1
        call costate_mpi_irecv_b(s(60+10*k), t(60+10*k), m, dp, merge(l, mpi_any_source, k == 2), 3, w, r(k), ie)
      end do
    end if
  end subroutine

  ! Rows of a matrix, whose type is freed at once.
  subroutine strided(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: w, r(2), u, l, row
    w = mpi_comm_world; r = mpi_request_null
    u = modulo(rank + 1, ranks); l = modulo(rank - 1, ranks)
    call mpi_type_vector(6, 2, 10, dp, row, ie)
    call mpi_type_commit(row, ie)
    if (mode == 'd') then
      call costate_mpi_irecv_d(s(5), t(5), 1, row, l, 3, w, r(1), ie)
      call costate_mpi_isend_d(s(2), t(2), 1, row, u, 3, w, r(2), ie)
      call mpi_type_free(row, ie)
      call costate_mpi_waitall_d(2, r, mpi_statuses_ignore, ie)
    else if (mode == 'f') then
      call costate_mpi_irecv_fwd(s(5), 1, row, l, 3, w, r(1), ie)
      call costate_mpi_isend_fwd(s(2), 1, row, u, 3, w, r(2), ie)
      call mpi_type_free(row, ie)
      call costate_mpi_waitall_fwd(2, r, mpi_statuses_ignore, ie)
      call costate_mpi_arrived_fwd(s, n)
    else
      call costate_mpi_arrived_b(s, t, n)
      call costate_mpi_waitall_b(2, r, mpi_statuses_ignore, ie)
      call costate_mpi_isend_b(s(2), t(2), 1, row, u, 3, w, r(2), ie)
      call costate_mpi_irecv_b(s(5), t(5), 1, row, l, 3, w, r(1), ie)
      call mpi_type_free(row, ie)
    end if
  end subroutine

  subroutine complex_ring(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    complex(wp) :: z(20), z_d(20)
    integer :: w, r(2), u, l
    w = mpi_comm_world; r = mpi_request_null
    u = modulo(rank + 1, ranks); l = modulo(rank - 1, ranks)
    z = cmplx(s(1:40:2), s(2:40:2), wp); z_d = cmplx(t(1:40:2), t(2:40:2), wp)
    if (mode == 'd') then
      call costate_mpi_irecv_d(z(1), z_d(1), m, mpi_double_complex, l, 3, w, r(1), ie)
      call costate_mpi_isend_d(z(11), z_d(11), m, mpi_double_complex, u, 3, w, r(2), ie)
      call costate_mpi_waitall_d(2, r, mpi_statuses_ignore, ie)
    else if (mode == 'f') then
      call costate_mpi_irecv_fwd(z(1), m, mpi_double_complex, l, 3, w, r(1), ie)
      call costate_mpi_isend_fwd(z(11), m, mpi_double_complex, u, 3, w, r(2), ie)
      call costate_mpi_waitall_fwd(2, r, mpi_statuses_ignore, ie)
      call costate_mpi_arrived_fwd(z, size(z))
    else
      call costate_mpi_arrived_b(z, z_d, size(z))
      call costate_mpi_waitall_b(2, r, mpi_statuses_ignore, ie)
      call costate_mpi_isend_b(z(11), z_d(11), m, mpi_double_complex, u, 3, w, r(2), ie)
      call costate_mpi_irecv_b(z(1), z_d(1), m, mpi_double_complex, l, 3, w, r(1), ie)
    end if
    s(1:40:2) = real(z); s(2:40:2) = aimag(z); t(1:40:2) = real(z_d); t(2:40:2) = aimag(z_d)
  end subroutine

  subroutine single_ring(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    real :: x(n), x_d(n)
    integer :: u, l, w
    w = mpi_comm_world
    u = modulo(rank + 1, ranks); l = modulo(rank - 1, ranks)
    x = real(s); x_d = real(t)
    if (mode == 'd') call costate_mpi_sendrecv_d(x(1), x_d(1), m, mpi_real, u, 3, x(21), x_d(21), m, mpi_real, l, 3, w, &
      mpi_status_ignore)
    if (mode == 'f') call costate_mpi_sendrecv_fwd(x(1), m, mpi_real, u, 3, x(21), m, mpi_real, l, 3, w, mpi_status_ignore)
    if (mode == 'd') call costate_mpi_bcast_d(x, x_d, m, mpi_real, 0, w)
    if (mode == 'f') call mpi_bcast(x, m, mpi_real, 0, w, ie)
    if (mode == 'b') call costate_mpi_bcast_b(x, x_d, m, mpi_real, 0, w)
    if (mode == 'b') call costate_mpi_sendrecv_b(x(1), x_d(1), m, mpi_real, u, 3, x(21), x_d(21), m, mpi_real, l, 3, w, &
      mpi_status_ignore)
    s = x; t = x_d
  end subroutine

  ! Messages from nowhere, without content, and without receiver.
  subroutine nothing(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: w, r(4), u, l, null
    w = mpi_comm_world; r = mpi_request_null; null = mpi_proc_null
    u = modulo(rank + 1, ranks); l = modulo(rank - 1, ranks)
    if (mode == 'd') then
      call costate_mpi_irecv_d(s(5), t(5), m, dp, null, 3, w, r(1), ie)
      call costate_mpi_irecv_d(s(5), t(5), m, dp, l, 3, w, r(2), ie)
      call costate_mpi_isend_d(s(5), t(5), 0, dp, u, 3, w, r(3), ie)
      call costate_mpi_isend_d(s(5), t(5), m, dp, null, 3, w, r(4), ie)
      call costate_mpi_waitall_d(4, r, mpi_statuses_ignore, ie)
      call costate_mpi_send_d(s(5), t(5), m, dp, null, 3, w, ie)
      call costate_mpi_recv_d(s(5), t(5), m, dp, null, 3, w, mpi_status_ignore, ie)
      call costate_mpi_allreduce_d(s(5), t(5), s(7), t(7), 0, dp, mpi_max, w, ie)
    else if (mode == 'f') then
      call costate_mpi_irecv_fwd(s(5), m, dp, null, 3, w, r(1), ie)
      call costate_mpi_irecv_fwd(s(5), m, dp, l, 3, w, r(2), ie)
      call costate_mpi_isend_fwd(s(5), 0, dp, u, 3, w, r(3), ie)
      call costate_mpi_isend_fwd(s(5), m, dp, null, 3, w, r(4), ie)
      call costate_mpi_waitall_fwd(4, r, mpi_statuses_ignore, ie)
      call mpi_send(s(5), m, dp, null, 3, w, ie)
      call costate_mpi_recv_fwd(s(5), m, dp, null, 3, w, mpi_status_ignore, ie)
      call mpi_allreduce(s(5), s(7), 0, dp, mpi_max, w, ie)
    else
      call costate_mpi_allreduce_b(s(5), t(5), s(7), t(7), 0, dp, mpi_max, w, ie)
      call costate_mpi_recv_b(s(5), t(5), m, dp, null, 3, w, mpi_status_ignore, ie)
      call costate_mpi_send_b(s(5), t(5), m, dp, null, 3, w, ie)
      call costate_mpi_waitall_b(4, r, mpi_statuses_ignore, ie)
      call costate_mpi_isend_b(s(5), t(5), m, dp, null, 3, w, r(4), ie)
      call costate_mpi_isend_b(s(5), t(5), 0, dp, u, 3, w, r(3), ie)
      call costate_mpi_irecv_b(s(5), t(5), m, dp, l, 3, w, r(2), ie)
      call costate_mpi_irecv_b(s(5), t(5), m, dp, null, 3, w, r(1), ie)
    end if
  end subroutine

  subroutine broadcast(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    if (mode == 'd') call costate_mpi_bcast_d(s, t, m, dp, ranks - 1, mpi_comm_world, ie)
    if (mode == 'f') call mpi_bcast(s, m, dp, ranks - 1, mpi_comm_world, ie)
    if (mode == 'b') call costate_mpi_bcast_b(s, t, m, dp, ranks - 1, mpi_comm_world, ie)
  end subroutine

  ! Tests until it is there, the tests without result too being reversed.
  subroutine tested(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: w, r(2), u, l, k, at, status(mpi_status_size), statuses(mpi_status_size, 2), list(2)
    integer, save :: tests, number
    logical :: flag
    w = mpi_comm_world; r = mpi_request_null
    u = modulo(rank + 1, ranks); l = modulo(rank - 1, ranks)
    if (mode == 'd') then
      call costate_mpi_irecv_d(s(5), t(5), m, dp, l, 3, w, r(1), ie)
      call costate_mpi_issend_d(s(15), t(15), m, dp, u, 3, w, r(2), ie)
      flag = .false.
      do while (.not. flag)
        call costate_mpi_test_d(r(1), flag, status, ie)
      end do
      if (status(mpi_source) /= l) stop 'wrong source'
      flag = .false.
      do while (.not. flag)
        call costate_mpi_testall_d(2, r, flag, statuses, ie)
      end do
    else if (mode == 'f') then
      call costate_mpi_irecv_fwd(s(5), m, dp, l, 3, w, r(1), ie)
      call costate_mpi_issend_fwd(s(15), m, dp, u, 3, w, r(2), ie)
      flag = .false.; tests = 0; number = 0
      do while (.not. flag)
        tests = tests + 1
        call costate_mpi_testany_fwd(2, r, at, flag, mpi_status_ignore, ie)
        call costate_mpi_arrived_fwd(s, n)
      end do
      do while (any(r /= mpi_request_null))
        number = number + 1
        call costate_mpi_testsome_fwd(2, r, at, list, statuses, ie)
        call costate_mpi_arrived_fwd(s, n)
      end do
    else
      do k = 1, number
        call costate_mpi_arrived_b(s, t, n)
        call costate_mpi_testsome_b(2, r, at, list, statuses, ie)
      end do
      do k = 1, tests
        call costate_mpi_arrived_b(s, t, n)
        call costate_mpi_testany_b(2, r, at, flag, mpi_status_ignore, ie)
      end do
      call costate_mpi_issend_b(s(15), t(15), m, dp, u, 3, w, r(2), ie)
      call costate_mpi_irecv_b(s(5), t(5), m, dp, l, 3, w, r(1), ie)
    end if
  end subroutine

  ! Less arrives than was asked for.
  subroutine shorter(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: w, r(2), u, l, row
    w = mpi_comm_world; r = mpi_request_null
    u = modulo(rank + 1, ranks); l = modulo(rank - 1, ranks)
    call mpi_type_vector(3, 1, 2, dp, row, ie)
    call mpi_type_commit(row, ie)
    if (mode == 'd') then
      call costate_mpi_irecv_d(s(5), t(5), 20, dp, l, 3, w, r(1), ie)
      call costate_mpi_isend_d(s(40), t(40), m, dp, u, 3, w, r(2), ie)
      call costate_mpi_waitall_d(2, r, mpi_statuses_ignore, ie)
      call costate_mpi_sendrecv_d(s(40), t(40), 4, dp, u, 4, s(61), t(61), 3, row, l, 4, w, mpi_status_ignore, ie)
    else if (mode == 'f') then
      call costate_mpi_irecv_fwd(s(5), 20, dp, l, 3, w, r(1), ie)
      call costate_mpi_isend_fwd(s(40), m, dp, u, 3, w, r(2), ie)
      call costate_mpi_waitall_fwd(2, r, mpi_statuses_ignore, ie)
      call costate_mpi_arrived_fwd(s, n)
      call costate_mpi_sendrecv_fwd(s(40), 4, dp, u, 4, s(61), 3, row, l, 4, w, mpi_status_ignore, ie)
    else
      call costate_mpi_sendrecv_b(s(40), t(40), 4, dp, u, 4, s(61), t(61), 3, row, l, 4, w, mpi_status_ignore, ie)
      call costate_mpi_arrived_b(s, t, n)
      call costate_mpi_waitall_b(2, r, mpi_statuses_ignore, ie)
      call costate_mpi_isend_b(s(40), t(40), m, dp, u, 3, w, r(2), ie)
      call costate_mpi_irecv_b(s(5), t(5), 20, dp, l, 3, w, r(1), ie)
    end if
    call mpi_type_free(row, ie)
  end subroutine

  ! In a communicator with other ranks, freed before the backward sweep; the same tag is used in the world.
  subroutine split_comm(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: u, l, w, half, own, number
    integer, save :: comm
    w = mpi_comm_world
    u = modulo(rank + 1, ranks); l = modulo(rank - 1, ranks)
    if (mode == 'b') then
      call costate_mpi_comm_free_b(comm, ie)
      half = comm
      call mpi_comm_rank(half, own, ie); call mpi_comm_size(half, number, ie)
      call costate_mpi_allreduce_b(s(41), t(41), s(71), t(71), m, dp, mpi_sum, half, ie)
      call costate_mpi_sendrecv_b(s(11), t(11), m, dp, modulo(own + 1, number), 3, s(31), t(31), m, dp, &
        modulo(own - 1, number), 3, half, mpi_status_ignore, ie)
      call costate_mpi_sendrecv_b(s(1), t(1), m, dp, u, 3, s(21), t(21), m, dp, l, 3, w, mpi_status_ignore, ie)
      return
    end if
    call mpi_comm_split(w, modulo(rank, 2), -rank, half, ie)
    call mpi_comm_rank(half, own, ie); call mpi_comm_size(half, number, ie)
    if (mode == 'd') then
      call costate_mpi_sendrecv_d(s(1), t(1), m, dp, u, 3, s(21), t(21), m, dp, l, 3, w, mpi_status_ignore, ie)
      call costate_mpi_sendrecv_d(s(11), t(11), m, dp, modulo(own + 1, number), 3, s(31), t(31), m, dp, &
        modulo(own - 1, number), 3, half, mpi_status_ignore, ie)
      call costate_mpi_allreduce_d(s(41), t(41), s(71), t(71), m, dp, mpi_sum, half, ie)
      call costate_mpi_comm_free_d(half, ie)
    else
      call costate_mpi_sendrecv_fwd(s(1), m, dp, u, 3, s(21), m, dp, l, 3, w, mpi_status_ignore, ie)
      call costate_mpi_sendrecv_fwd(s(11), m, dp, modulo(own + 1, number), 3, s(31), m, dp, &
        modulo(own - 1, number), 3, half, mpi_status_ignore, ie)
      call mpi_allreduce(s(41), s(71), m, dp, mpi_sum, half, ie)
      call costate_mpi_comm_free_fwd(half, ie)
    end if
    if (half /= mpi_comm_null) stop 'not freed'
  end subroutine

  subroutine some_of(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: w, r(4), u, l, k, number, list(4), i
    integer, save :: calls
    w = mpi_comm_world; r = mpi_request_null
    u = modulo(rank + 1, ranks); l = modulo(rank - 1, ranks)
    if (mode == 'b') then
      do k = 1, calls
        call costate_mpi_arrived_b(s, t, n)
        call costate_mpi_waitsome_b(4, r, number, list, mpi_statuses_ignore, ie)
      end do
      do k = 2, 1, -1
        call costate_mpi_isend_b(s(10*k), t(10*k), m, dp, u, 3, w, r(2+k), ie)
        call costate_mpi_irecv_b(s(60+10*k), t(60+10*k), m, dp, l, 3, w, r(k), ie)
      end do
      return
    end if
    do k = 1, 2
      if (mode == 'd') then
        call costate_mpi_irecv_d(s(60+10*k), t(60+10*k), m, dp, l, 3, w, r(k), ie)
        call costate_mpi_isend_d(s(10*k), t(10*k), m, dp, u, 3, w, r(2+k), ie)
      else
        call costate_mpi_irecv_fwd(s(60+10*k), m, dp, l, 3, w, r(k), ie)
        call costate_mpi_isend_fwd(s(10*k), m, dp, u, 3, w, r(2+k), ie)
      end if
    end do
    calls = 0; i = 0
    do while (i < 4)
      if (mode == 'd') then
        call costate_mpi_waitsome_d(4, r, number, list, mpi_statuses_ignore, ie)
      else
        call costate_mpi_waitsome_fwd(4, r, number, list, mpi_statuses_ignore, ie)
        call costate_mpi_arrived_fwd(s, n)
        calls = calls + 1
      end if
      i = i + number
    end do
  end subroutine

  ! Buffered and ready sends, which the adjoint must not wait for either.
  subroutine other_sends(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: w, u, l, r(2), bytes
    character :: buffer(10000)
    integer(mpi_address_kind) :: ignored
    w = mpi_comm_world; r = mpi_request_null
    u = modulo(rank + 1, ranks); l = modulo(rank - 1, ranks)
    if (mode == 'd') then
      call mpi_buffer_attach(buffer, 10000, ie)
      call costate_mpi_irecv_d(s(50), t(50), m, dp, l, 8, w, r(1), ie)
      call costate_mpi_bsend_d(s(1), t(1), m, dp, u, 9, w, ie)
      call costate_mpi_ibsend_d(s(11), t(11), m, dp, u, 9, w, r(2), ie)
      call costate_mpi_wait_d(r(2), mpi_status_ignore, ie)
      call costate_mpi_recv_d(s(70), t(70), m, dp, l, 9, w, mpi_status_ignore, ie)
      call costate_mpi_recv_d(s(80), t(80), m, dp, l, 9, w, mpi_status_ignore, ie)
      call mpi_barrier(w, ie)
      call costate_mpi_rsend_d(s(21), t(21), m, dp, u, 8, w, ie)
      call costate_mpi_wait_d(r(1), mpi_status_ignore, ie)
      call mpi_buffer_detach(buffer, bytes, ie)
    else if (mode == 'f') then
      call mpi_buffer_attach(buffer, 10000, ie)
      call costate_mpi_irecv_fwd(s(50), m, dp, l, 8, w, r(1), ie)
      call mpi_bsend(s(1), m, dp, u, 9, w, ie)
      call costate_mpi_ibsend_fwd(s(11), m, dp, u, 9, w, r(2), ie)
      call costate_mpi_wait_fwd(r(2), mpi_status_ignore, ie)
      call costate_mpi_recv_fwd(s(70), m, dp, l, 9, w, mpi_status_ignore, ie)
      call costate_mpi_recv_fwd(s(80), m, dp, l, 9, w, mpi_status_ignore, ie)
      call mpi_barrier(w, ie)
      call mpi_rsend(s(21), m, dp, u, 8, w, ie)
      call costate_mpi_wait_fwd(r(1), mpi_status_ignore, ie)
      call costate_mpi_arrived_fwd(s, n)
      call mpi_buffer_detach(buffer, bytes, ie)
    else
      call costate_mpi_arrived_b(s, t, n)
      call costate_mpi_wait_b(r(1), mpi_status_ignore, ie)
      call costate_mpi_rsend_b(s(21), t(21), m, dp, u, 8, w, ie)
      call costate_mpi_recv_b(s(80), t(80), m, dp, l, 9, w, mpi_status_ignore, ie)
      call costate_mpi_recv_b(s(70), t(70), m, dp, l, 9, w, mpi_status_ignore, ie)
      call costate_mpi_wait_b(r(2), mpi_status_ignore, ie)
      call costate_mpi_ibsend_b(s(11), t(11), m, dp, u, 9, w, r(2), ie)
      call costate_mpi_bsend_b(s(1), t(1), m, dp, u, 9, w, ie)
      call costate_mpi_irecv_b(s(50), t(50), m, dp, l, 8, w, r(1), ie)
    end if
    ignored = 0
  end subroutine

  ! Values with equal ones and zeros among them.
  subroutine prepare(which, s0, s)
    integer, intent(in) :: which
    real(wp), intent(inout) :: s0(n), s(n)
    ! Differences add to what is here, which they must find again.
    if (which == 4) then
      s0(1:m) = [1d0, 2d0, 1d0, 2d0, 1d0]
      s(1:m) = s0(1:m)
    else
      if (rank == 0) call zero(1)
      if (rank == 0) call zero(2)
      if (rank == ranks - 1) call zero(2)
      if (rank == ranks - 1) call zero(3)
    end if
  contains
    subroutine zero(at)
      integer, intent(in) :: at
      s(at) = s(at) - s0(at); s0(at) = 0
    end subroutine
  end subroutine

  subroutine reductions(which, mode, s0, s, t)
    integer, intent(in) :: which
    character, intent(in) :: mode
    real(wp), intent(inout) :: s0(n), s(n), t(n)
    integer :: w, root
    w = mpi_comm_world; root = ranks/2
    if (which >= 3 .and. mode /= 'b') call prepare(which, s0, s)
    if (mode == 'd') call costate_mpi_reduce_d(s, t, s(21), t(21), m, dp, op_of(which), root, w, ie)
    if (mode == 'f') call mpi_reduce(s, s(21), m, dp, op_of(which), root, w, ie)
    if (mode == 'b') call costate_mpi_reduce_b(s0, t, s0(21), t(21), m, dp, op_of(which), root, w, ie)
  end subroutine

  subroutine all_reductions(which, mode, s0, s, t)
    integer, intent(in) :: which
    character, intent(in) :: mode
    real(wp), intent(inout) :: s0(n), s(n), t(n)
    integer :: w
    w = mpi_comm_world
    if (which >= 3 .and. mode /= 'b') call prepare(which, s0, s)
    if (mode == 'd') call costate_mpi_allreduce_d(s, t, s(21), t(21), m, dp, op_of(which), w, ie)
    if (mode == 'f') call mpi_allreduce(s, s(21), m, dp, op_of(which), w, ie)
    if (mode == 'b') call costate_mpi_allreduce_b(s0, t, s0(21), t(21), m, dp, op_of(which), w, ie)
  end subroutine

  subroutine scans(which, mode, s0, s, t)
    integer, intent(in) :: which
    character, intent(in) :: mode
    real(wp), intent(inout) :: s0(n), s(n), t(n)
    integer :: w, op
    w = mpi_comm_world; op = merge(mpi_prod, op_of(which), which == 2)
    if (mode == 'd') then
      call costate_mpi_scan_d(s, t, s(21), t(21), m, dp, op, w, ie)
      call costate_mpi_exscan_d(s, t, s(31), t(31), m, dp, op, w, ie)
      call costate_mpi_scan_in_place_d(mpi_in_place, s(41), t(41), m, dp, op, w, ie)
      call costate_mpi_exscan_in_place_d(mpi_in_place, s(51), t(51), m, dp, op, w, ie)
    else if (mode == 'f') then
      call mpi_scan(s, s(21), m, dp, op, w, ie)
      call mpi_exscan(s, s(31), m, dp, op, w, ie)
      call mpi_scan(mpi_in_place, s(41), m, dp, op, w, ie)
      call mpi_exscan(mpi_in_place, s(51), m, dp, op, w, ie)
    else
      call costate_mpi_exscan_in_place_b(mpi_in_place, s0(51), t(51), m, dp, op, w, ie)
      call costate_mpi_scan_in_place_b(mpi_in_place, s0(41), t(41), m, dp, op, w, ie)
      call costate_mpi_exscan_b(s0, t, s0(31), t(31), m, dp, op, w, ie)
      call costate_mpi_scan_b(s0, t, s0(21), t(21), m, dp, op, w, ie)
    end if
  end subroutine

  subroutine cut(which, mode, s0, s, t)
    integer, intent(in) :: which
    character, intent(in) :: mode
    real(wp), intent(inout) :: s0(n), s(n), t(n)
    integer :: w, op, counts(ranks), k
    w = mpi_comm_world; op = merge(mpi_prod, op_of(which), which == 2)
    counts = [(modulo(k, 3), k = 1, ranks)]
    if (mode == 'd') then
      call costate_mpi_reduce_scatter_d(s, t, s(41), t(41), counts, dp, op, w, ie)
      call costate_mpi_reduce_scatter_block_d(s, t, s(51), t(51), 2, dp, op, w, ie)
      call costate_mpi_reduce_scatter_in_place_d(mpi_in_place, s(61), t(61), counts, dp, op, w, ie)
      call costate_mpi_reduce_scatter_block_in_place_d(mpi_in_place, s(81), t(81), 2, dp, op, w, ie)
    else if (mode == 'f') then
      call mpi_reduce_scatter(s, s(41), counts, dp, op, w, ie)
      call mpi_reduce_scatter_block(s, s(51), 2, dp, op, w, ie)
      call mpi_reduce_scatter(mpi_in_place, s(61), counts, dp, op, w, ie)
      call mpi_reduce_scatter_block(mpi_in_place, s(81), 2, dp, op, w, ie)
    else
      call forget(t)
      call costate_mpi_reduce_scatter_block_in_place_b(mpi_in_place, s0(81), t(81), 2, dp, op, w, ie)
      call costate_mpi_reduce_scatter_in_place_b(mpi_in_place, s0(61), t(61), counts, dp, op, w, ie)
      call costate_mpi_reduce_scatter_block_b(s0, t, s0(51), t(51), 2, dp, op, w, ie)
      call costate_mpi_reduce_scatter_b(s0, t, s0(41), t(41), counts, dp, op, w, ie)
    end if
    ! What the in-place procedures leave behind the result isn't defined.
    if (mode /= 'b') call forget(s)
    if (mode == 'd') call forget(t)
  contains
    subroutine forget(x)
      real(wp), intent(inout) :: x(n)
      x(61+counts(rank+1):80) = 0; x(83:100) = 0
    end subroutine
  end subroutine

  ! In place at the root, or not; the second one by vectors with gaps.
  subroutine gathers(in_place, mode, s, t)
    logical, intent(in) :: in_place
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: w, root, counts(ranks), starts(ranks), k, own, c
    w = mpi_comm_world; root = ranks - 1
    counts = [(modulo(k, 3), k = 1, ranks)]; starts = [(4*(ranks - k), k = 1, ranks)]
    own = counts(rank + 1); c = m
    if (rank /= root) then
      counts = -77; starts = 1000000; c = -5
    end if
    if (in_place .and. rank == root) then
      if (mode == 'd') call costate_mpi_gather_in_place_d(mpi_in_place, -1, -1, s(21), t(21), c, dp, root, w, ie)
      if (mode == 'd') call costate_mpi_gatherv_in_place_d(mpi_in_place, -1, dp, s(61), t(61), counts, starts, dp, root, w, ie)
      if (mode == 'f') call mpi_gather(mpi_in_place, -1, dp, s(21), c, dp, root, w, ie)
      if (mode == 'f') call mpi_gatherv(mpi_in_place, -1, dp, s(61), counts, starts, dp, root, w, ie)
      if (mode == 'b') call costate_mpi_gatherv_in_place_b(mpi_in_place, -1, dp, s(61), t(61), counts, starts, dp, root, w, ie)
      if (mode == 'b') call costate_mpi_gather_in_place_b(mpi_in_place, -1, -1, s(21), t(21), c, dp, root, w, ie)
    else
      if (mode == 'd') call costate_mpi_gather_d(s, t, m, dp, s(21), t(21), c, dp, root, w, ie)
      if (mode == 'd') call costate_mpi_gatherv_d(s(11), t(11), own, dp, s(61), t(61), counts, starts, dp, root, w, ie)
      if (mode == 'f') call mpi_gather(s, m, dp, s(21), c, dp, root, w, ie)
      if (mode == 'f') call mpi_gatherv(s(11), own, dp, s(61), counts, starts, dp, root, w, ie)
      if (mode == 'b') call costate_mpi_gatherv_b(s(11), t(11), own, dp, s(61), t(61), counts, starts, dp, root, w, ie)
      if (mode == 'b') call costate_mpi_gather_b(s, t, m, dp, s(21), t(21), c, dp, root, w, ie)
    end if
  end subroutine

  subroutine scatters(in_place, mode, s, t)
    logical, intent(in) :: in_place
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: w, root, counts(ranks), starts(ranks), k, own, c
    w = mpi_comm_world; root = ranks/2
    ! Blocks may have elements in common.
    counts = [(modulo(k, 3), k = 1, ranks)]; starts = [(ranks - k, k = 1, ranks)]
    own = counts(rank + 1); c = m
    if (rank /= root) then
      counts = -77; starts = 1000000; c = -5
    end if
    if (in_place .and. rank == root) then
      if (mode == 'd') call costate_mpi_scatter_in_place_d(s(21), t(21), c, dp, mpi_in_place, -1, dp, root, w, ie)
      if (mode == 'd') call costate_mpi_scatterv_in_place_d(s(61), t(61), counts, starts, dp, mpi_in_place, -1, dp, root, w, ie)
      if (mode == 'f') call mpi_scatter(s(21), c, dp, mpi_in_place, -1, dp, root, w, ie)
      if (mode == 'f') call mpi_scatterv(s(61), counts, starts, dp, mpi_in_place, -1, dp, root, w, ie)
      if (mode == 'b') call costate_mpi_scatterv_in_place_b(s(61), t(61), counts, starts, dp, mpi_in_place, -1, dp, root, w, ie)
      if (mode == 'b') call costate_mpi_scatter_in_place_b(s(21), t(21), c, dp, mpi_in_place, -1, dp, root, w, ie)
    else
      if (mode == 'd') call costate_mpi_scatter_d(s(21), t(21), c, dp, s, t, m, dp, root, w, ie)
      if (mode == 'd') call costate_mpi_scatterv_d(s(61), t(61), counts, starts, dp, s(11), t(11), own, dp, root, w, ie)
      if (mode == 'f') call mpi_scatter(s(21), c, dp, s, m, dp, root, w, ie)
      if (mode == 'f') call mpi_scatterv(s(61), counts, starts, dp, s(11), own, dp, root, w, ie)
      if (mode == 'b') call costate_mpi_scatterv_b(s(61), t(61), counts, starts, dp, s(11), t(11), own, dp, root, w, ie)
      if (mode == 'b') call costate_mpi_scatter_b(s(21), t(21), c, dp, s, t, m, dp, root, w, ie)
    end if
  end subroutine

  subroutine all_gathers(in_place, mode, s, t)
    logical, intent(in) :: in_place
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: w, counts(ranks), starts(ranks), k, own
    w = mpi_comm_world
    counts = [(modulo(k, 3), k = 1, ranks)]; starts = [(4*(ranks - k), k = 1, ranks)]
    own = counts(rank + 1)
    if (in_place) then
      if (mode == 'd') call costate_mpi_allgather_in_place_d(mpi_in_place, -1, dp, s(21), t(21), m, dp, w, ie)
      if (mode == 'd') call costate_mpi_allgatherv_in_place_d(mpi_in_place, -1, dp, s(61), t(61), counts, starts, dp, w, ie)
      if (mode == 'f') call mpi_allgather(mpi_in_place, -1, dp, s(21), m, dp, w, ie)
      if (mode == 'f') call mpi_allgatherv(mpi_in_place, -1, dp, s(61), counts, starts, dp, w, ie)
      if (mode == 'b') call costate_mpi_allgatherv_in_place_b(mpi_in_place, -1, dp, s(61), t(61), counts, starts, dp, w, ie)
      if (mode == 'b') call costate_mpi_allgather_in_place_b(mpi_in_place, -1, dp, s(21), t(21), m, dp, w, ie)
    else
      if (mode == 'd') call costate_mpi_allgather_d(s, t, m, dp, s(21), t(21), m, dp, w, ie)
      if (mode == 'd') call costate_mpi_allgatherv_d(s(11), t(11), own, dp, s(61), t(61), counts, starts, dp, w, ie)
      if (mode == 'f') call mpi_allgather(s, m, dp, s(21), m, dp, w, ie)
      if (mode == 'f') call mpi_allgatherv(s(11), own, dp, s(61), counts, starts, dp, w, ie)
      if (mode == 'b') call costate_mpi_allgatherv_b(s(11), t(11), own, dp, s(61), t(61), counts, starts, dp, w, ie)
      if (mode == 'b') call costate_mpi_allgather_b(s, t, m, dp, s(21), t(21), m, dp, w, ie)
    end if
  end subroutine

  subroutine alltoalls(in_place, mode, s, t)
    logical, intent(in) :: in_place
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: w, counts(ranks), starts(ranks), to(ranks), k
    w = mpi_comm_world
    ! What goes from i to j is as long as what goes from j to i.
    counts = [(modulo(rank + k, 3), k = 0, ranks - 1)]
    starts = [(4*(ranks - 1 - k), k = 0, ranks - 1)]; to = [(2*k, k = 0, ranks - 1)]
    if (in_place) then
      if (mode == 'd') call costate_mpi_alltoall_in_place_d(mpi_in_place, -1, dp, s(21), t(21), 3, dp, w, ie)
      if (mode == 'd') call costate_mpi_alltoallv_in_place_d(mpi_in_place, counts, starts, dp, s(61), t(61), counts, starts, dp, &
        w, ie)
      if (mode == 'f') call mpi_alltoall(mpi_in_place, -1, dp, s(21), 3, dp, w, ie)
      if (mode == 'f') call mpi_alltoallv(mpi_in_place, counts, starts, dp, s(61), counts, starts, dp, w, ie)
      if (mode == 'b') call costate_mpi_alltoallv_in_place_b(mpi_in_place, counts, starts, dp, s(61), t(61), counts, starts, dp, &
        w, ie)
      if (mode == 'b') call costate_mpi_alltoall_in_place_b(mpi_in_place, -1, dp, s(21), t(21), 3, dp, w, ie)
    else
      if (mode == 'd') call costate_mpi_alltoall_d(s, t, 2, dp, s(21), t(21), 2, dp, w, ie)
      if (mode == 'd') call costate_mpi_alltoallv_d(s(41), t(41), counts, to, dp, s(61), t(61), counts, starts, dp, w, ie)
      if (mode == 'f') call mpi_alltoall(s, 2, dp, s(21), 2, dp, w, ie)
      if (mode == 'f') call mpi_alltoallv(s(41), counts, to, dp, s(61), counts, starts, dp, w, ie)
      if (mode == 'b') call costate_mpi_alltoallv_b(s(41), t(41), counts, to, dp, s(61), t(61), counts, starts, dp, w, ie)
      if (mode == 'b') call costate_mpi_alltoall_b(s, t, 2, dp, s(21), t(21), 2, dp, w, ie)
    end if
  end subroutine

  subroutine complex_sums(mode, s0, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s0(n), s(n), t(n)
    complex(wp) :: z(20), z_d(20)
    integer :: w, c
    w = mpi_comm_world; c = mpi_double_complex
    z = cmplx(s(1:40:2), s(2:40:2), wp); z_d = cmplx(t(1:40:2), t(2:40:2), wp)
    if (mode == 'b') z = cmplx(s0(1:40:2), s0(2:40:2), wp)
    if (mode == 'd') then
      call costate_mpi_allreduce_d(z, z_d, z(11), z_d(11), m, c, mpi_prod, w, ie)
      call costate_mpi_scan_d(z, z_d, z(6), z_d(6), 2, c, mpi_prod, w, ie)
      call costate_mpi_reduce_d(z, z_d, z(16), z_d(16), m, c, mpi_sum, 0, w, ie)
    else if (mode == 'f') then
      call mpi_allreduce(z, z(11), m, c, mpi_prod, w, ie)
      call mpi_scan(z, z(6), 2, c, mpi_prod, w, ie)
      call mpi_reduce(z, z(16), m, c, mpi_sum, 0, w, ie)
    else
      call costate_mpi_reduce_b(z, z_d, z(16), z_d(16), m, c, mpi_sum, 0, w, ie)
      call costate_mpi_scan_b(z, z_d, z(6), z_d(6), 2, c, mpi_prod, w, ie)
      call costate_mpi_allreduce_b(z, z_d, z(11), z_d(11), m, c, mpi_prod, w, ie)
    end if
    s(1:40:2) = real(z); s(2:40:2) = aimag(z); t(1:40:2) = real(z_d); t(2:40:2) = aimag(z_d)
  end subroutine

  subroutine pairs(mode, s0, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s0(n), s(n), t(n)
    integer :: w, c
    w = mpi_comm_world; c = mpi_2double_precision
    if (mode /= 'b') then
      s(2:4:2) = rank; t(2:4:2) = 0
      s0(2:4:2) = rank
    end if
    if (mode == 'd') call costate_mpi_allreduce_d(s, t, s(11), t(11), 2, c, mpi_maxloc, w, ie)
    if (mode == 'f') call mpi_allreduce(s, s(11), 2, c, mpi_maxloc, w, ie)
    if (mode == 'b') call costate_mpi_allreduce_b(s0, t, s0(11), t(11), 2, c, mpi_maxloc, w, ie)
    ! The indices are constants.
    if (mode == 'b') t(2:4:2) = 0
  end subroutine

  ! Derived types of both sides of collective procedures, which differ.
  subroutine structured(mode, s, t)
    character, intent(in) :: mode
    real(wp), intent(inout) :: s(n), t(n)
    integer :: w, half, row, listed
    integer(mpi_address_kind) :: wide
    w = mpi_comm_world
    wide = 8
    call mpi_type_vector(3, 1, 10, dp, half, ie)
    call mpi_type_create_resized(half, 0_mpi_address_kind, wide, row, ie)
    call mpi_type_indexed(2, [2, 1], [3, 0], dp, listed, ie)
    call mpi_type_commit(row, ie); call mpi_type_commit(listed, ie)
    if (mode == 'd') then
      call costate_mpi_gather_d(s, t, 3, dp, s(41), t(41), 1, row, 0, w, ie)
      call costate_mpi_bcast_d(s(11), t(11), 1, listed, 0, w, ie)
      call costate_mpi_allgather_d(s(21), t(21), 1, listed, s(81), t(81), 3, dp, w, ie)
    else if (mode == 'f') then
      call mpi_gather(s, 3, dp, s(41), 1, row, 0, w, ie)
      call mpi_bcast(s(11), 1, listed, 0, w, ie)
      call mpi_allgather(s(21), 1, listed, s(81), 3, dp, w, ie)
    else
      call costate_mpi_allgather_b(s(21), t(21), 1, listed, s(81), t(81), 3, dp, w, ie)
      call costate_mpi_bcast_b(s(11), t(11), 1, listed, 0, w, ie)
      call costate_mpi_gather_b(s, t, 3, dp, s(41), t(41), 1, row, 0, w, ie)
    end if
    call mpi_type_free(row, ie); call mpi_type_free(half, ie); call mpi_type_free(listed, ie)
  end subroutine

  subroutine in_place_reductions(which, mode, s0, s, t)
    integer, intent(in) :: which
    character, intent(in) :: mode
    real(wp), intent(inout) :: s0(n), s(n), t(n)
    integer :: w, op
    w = mpi_comm_world; op = op_of(modulo(which, 4))
    if (which < 4) then
      if (mode == 'd') call costate_mpi_allreduce_in_place_d(mpi_in_place, s, t, m, dp, op, w, ie)
      if (mode == 'f') call mpi_allreduce(mpi_in_place, s, m, dp, op, w, ie)
      if (mode == 'b') call costate_mpi_allreduce_in_place_b(mpi_in_place, s0, t, m, dp, op, w, ie)
    else if (rank == 0) then
      if (mode == 'd') call costate_mpi_reduce_in_place_d(mpi_in_place, s, t, m, dp, op, 0, w, ie)
      if (mode == 'f') call mpi_reduce(mpi_in_place, s, m, dp, op, 0, w, ie)
      if (mode == 'b') call costate_mpi_reduce_in_place_b(mpi_in_place, s0, t, m, dp, op, 0, w, ie)
    else
      if (mode == 'd') call costate_mpi_reduce_d(s, t, s(11), t(11), m, dp, op, 0, w, ie)
      if (mode == 'f') call mpi_reduce(s, s(11), m, dp, op, 0, w, ie)
      if (mode == 'b') call costate_mpi_reduce_b(s0, t, s0(11), t(11), m, dp, op, 0, w, ie)
    end if
  end subroutine
end module
