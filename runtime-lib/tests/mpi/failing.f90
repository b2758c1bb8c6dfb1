! Backward sweeps that don't fit their forward sweeps, and what there is no derivative of. Of each case the first call is at
! line 1 of `m.f90`, the next one at line 2.
program failing
  use mpi
  use costate_mpi
  implicit none
  integer, parameter :: dp = mpi_double_precision
  real(kind(1d0)), save :: big(1000000)
  real(kind(1d0)) :: x(10), x_b(10), y(10), y_b(10)
  integer :: i(10), rank, request, ie, w, a, b
  character(20) :: which
  character :: box(80), other(80)
  call get_command_argument(1, which)
  call mpi_init(ie)
  call mpi_comm_rank(mpi_comm_world, rank, ie)
  w = mpi_comm_world
  x = 1; x_b = 1; y = 1; y_b = 1; i = 1
  if (which /= 'no-start') call costate_mpi_begin_fwd()
  select case (which)
  case ('no-start')
    call costate_mpi_send_b(x, x_b, 10, dp, 0, 1, w, ie, at="(m.f90:1)")
  case ('integers')
    call costate_mpi_bcast_b(i, i, 10, mpi_integer, 0, w, ie, at="(m.f90:1)")
  case ('operation')
    call costate_mpi_allreduce_b(x, x_b, y, y_b, 10, dp, mpi_land, w, ie, at="(m.f90:1)")
  case ('never-waited')
    call costate_mpi_irecv_fwd(x, 10, dp, 1 - rank, 4, w, request, ie, at="(m.f90:1)")
    call mpi_send(y, 10, dp, 1 - rank, 4, w, ie)
    call mpi_wait(request, mpi_status_ignore, ie)
    call costate_mpi_irecv_b(x, x_b, 10, dp, 1 - rank, 4, w, request, ie, at="(m.f90:2)")
  case ('never-waited-d')
    call costate_mpi_irecv_d(x, x_b, 10, dp, 1 - rank, 4, w, request, ie, at="(m.f90:1)")
    call mpi_send(y, 10, dp, 1 - rank, 4, w, ie)
    call mpi_wait(request, mpi_status_ignore, ie)
  case ('no-array')
    call costate_mpi_irecv_fwd(x, 10, dp, 1 - rank, 4, w, request, ie, at="(m.f90:1)")
    call mpi_send(y, 10, dp, 1 - rank, 4, w, ie)
    call costate_mpi_wait_fwd(request, mpi_status_ignore, ie, at="(m.f90:2)")
    call costate_mpi_arrived_fwd(y, 10)
    call costate_mpi_arrived_b(y, y_b, 10)
    call costate_mpi_wait_b(request, mpi_status_ignore, ie, at="(m.f90:3)")
  case ('order')
    call costate_mpi_recv_fwd(x, 10, dp, mpi_proc_null, 4, w, mpi_status_ignore, ie, at="(m.f90:1)")
    call costate_mpi_wait_b(request, mpi_status_ignore, ie, at="(m.f90:2)")
  case ('left')
    call costate_mpi_recv_fwd(x, 10, dp, mpi_proc_null, 4, w, mpi_status_ignore, ie, at="(m.f90:1)")
    call costate_mpi_begin_b()
  case ('not-made')
    call pmpi_send_init(x, 10, dp, 1 - rank, 4, w, request, ie)
    call costate_mpi_start_fwd(request, ie, at="(m.f90:1)")
  case ('not-named')
    call costate_mpi_send_init_fwd(x, 10, dp, mpi_proc_null, 4, w, request, ie, at="(m.f90:1)")
    call costate_mpi_start_fwd(request, ie, at="(m.f90:2)")
    call costate_mpi_wait_fwd(request, mpi_status_ignore, ie, at="(m.f90:3)")
    call costate_mpi_send_init_d(x, 10, dp, 1 - rank, 4, w, request, ie, at="(m.f90:4)")
    call costate_mpi_leaving_d(y, y_b, 10)
    call costate_mpi_start_d(request, ie, at="(m.f90:5)")
  case ('two-communicators')
    call mpi_comm_dup(w, a, ie)
    call mpi_comm_dup(w, b, ie)
    call costate_mpi_isend_d(x, x_b, 10, dp, 1 - rank, 4, a, request, ie, at="(m.f90:1)")
    call costate_mpi_isend_d(y, y_b, 10, dp, 1 - rank, 4, b, request, ie, at="(m.f90:2)")
  case ('found-before')
    call costate_mpi_isend_d(x, x_b, 1, dp, 1 - rank, 4, w, request, ie, at="(m.f90:1)")
    call costate_mpi_isend_d(x, x_b, 2, dp, 1 - rank, 4, w, request, ie, at="(m.f90:2)")
    call costate_mpi_mprobe_d(1 - rank, 4, w, a, mpi_status_ignore, ie, at="(m.f90:3)")
    call costate_mpi_mprobe_d(1 - rank, 4, w, b, mpi_status_ignore, ie, at="(m.f90:4)")
    call costate_mpi_mrecv_d(y, y_b, 2, dp, b, mpi_status_ignore, ie, at="(m.f90:5)")
  case ('not-found')
    call mpi_isend(x, 1, dp, 1 - rank, 4, w, request, ie)
    call mpi_mprobe(1 - rank, 4, w, a, mpi_status_ignore, ie)
    call costate_mpi_mrecv_fwd(y, 2, dp, a, mpi_status_ignore, ie, at="(m.f90:1)")
  case ('packed-copy')
    ! What is packed is copied to where something else was packed before.
    a = 0
    call costate_mpi_pack_fwd(2*x, 10, dp, other, 80, a, w, ie, at="(m.f90:1)")
    a = 0
    call costate_mpi_pack_fwd(x, 10, dp, box, 80, a, w, ie, at="(m.f90:2)")
    other = box
    a = 0
    call costate_mpi_unpack_fwd(other, 80, a, y, 10, dp, w, ie, at="(m.f90:3)")
  case ('packed-sent')
    call costate_mpi_sendrecv_packed_fwd(box, 80, mpi_packed, 1 - rank, 4, other, 80, mpi_packed, 1 - rank, 4, w, &
       mpi_status_ignore, ie, at="(m.f90:1)")
    a = 0
    call costate_mpi_unpack_fwd(other, 80, a, y, 10, dp, w, ie, at="(m.f90:2)")
    call costate_mpi_unpack_b(other, 80, a, y, y_b, 10, dp, w, ie, at="(m.f90:3)")
    call costate_mpi_sendrecv_packed_b(box, 80, mpi_packed, 1 - rank, 4, other, 80, mpi_packed, 1 - rank, 4, w, &
       mpi_status_ignore, ie, at="(m.f90:4)")
  case ('packed-type')
    a = 0
    call costate_mpi_pack_d(x, x_b, 10, dp, box, 80, a, w, ie, at="(m.f90:1)")
    a = 0
    call costate_mpi_unpack_d(box, 80, a, y, y_b, 20, mpi_real, w, ie, at="(m.f90:2)")
  case ('packed-or-not')
    call costate_mpi_send_d(x, x_b, 10, dp, 1 - rank, 4, w, ie, at="(m.f90:1)")
    call costate_mpi_recv_packed_d(box, 80, mpi_packed, 1 - rank, 4, w, mpi_status_ignore, ie, at="(m.f90:2)")
  case ('reused')
    call costate_mpi_irecv_fwd(x, 10, dp, 1 - rank, 4, w, request, ie, at="(m.f90:1)")
    call mpi_cancel(request, ie)
    call mpi_wait(request, mpi_status_ignore, ie)
    call costate_mpi_irecv_fwd(x, 10, dp, 1 - rank, 4, w, request, ie, at="(m.f90:2)")
  case ('longer')
    call costate_mpi_isend_fwd(x, 10, dp, 1 - rank, 4, w, request, ie, at="(m.f90:1)")
    call costate_mpi_recv_fwd(y, 5, dp, 1 - rank, 4, w, mpi_status_ignore, ie, at="(m.f90:2)")
  case ('longer-back')
    call costate_mpi_isend_fwd(x, 10, dp, 1 - rank, 4, w, request, ie, at="(m.f90:1)")
    call costate_mpi_recv_fwd(y, 10, dp, 1 - rank, 4, w, mpi_status_ignore, ie, at="(m.f90:2)")
    call costate_mpi_recv_b(y, y_b, 10, dp, 1 - rank, 4, w, mpi_status_ignore, ie, at="(m.f90:3)")
    call costate_mpi_isend_b(x, x_b, 5, dp, 1 - rank, 4, w, request, ie, at="(m.f90:4)")
  case ('not-received')
    call costate_mpi_isend_d(big, big, size(big), dp, 1 - rank, 4, w, request, ie, at="(m.f90:1)")
    call costate_mpi_begin_fwd()
    call costate_mpi_begin_b()
  case ('nobody')
    call costate_mpi_send_b(x, x_b, 10, dp, 1 - rank, 6, w, ie, at="(m.f90:1)")
  case ('never')
    call costate_mpi_recv_fwd(x, 10, dp, 1 - rank, 6, w, mpi_status_ignore, ie, at="(m.f90:1)")
  end select
  call mpi_finalize(ie)
  print '(a)', 'not stopped'
end program
