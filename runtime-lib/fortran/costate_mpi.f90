! Made by tests/mpi_text.rs.
! Derivatives of MPI procedures: _d is the tangent, _fwd what a forward sweep calls, _b the adjoint. Their arguments are those of
! MPI's procedure, each buffer followed by its derivative; what they do is told in README.md. They serve programs with mpif.h,
! the module mpi and the module mpi_f08 alike: all arguments go by their addresses, whatever their types. Messages of the library
! name the place at which the program has the call; it is a text in parentheses: at="(halo.f90:42)".
module costate_mpi
  implicit none
  private
  public :: costate_mpi_begin_d, costate_mpi_begin_fwd, costate_mpi_begin_b
  public :: costate_mpi_arrived_d, costate_mpi_arrived_fwd, costate_mpi_arrived_b
  public :: costate_mpi_leaving_d, costate_mpi_leaving_fwd, costate_mpi_leaving_b
  public :: costate_mpi_awaiting_d, costate_mpi_awaiting_fwd, costate_mpi_awaiting_b
  public :: costate_mpi_communicator, costate_mpi_communicator_d, costate_mpi_communicator_fwd
  public :: costate_mpi_communicator_b, costate_mpi_world, costate_mpi_even
  public :: costate_mpi_listed, costate_mpi_summed, costate_mpi_own
  public :: costate_mpi_send_d, costate_mpi_send_fwd, costate_mpi_send_b
  public :: costate_mpi_ssend_d, costate_mpi_ssend_fwd, costate_mpi_ssend_b
  public :: costate_mpi_bsend_d, costate_mpi_bsend_fwd, costate_mpi_bsend_b
  public :: costate_mpi_rsend_d, costate_mpi_rsend_fwd, costate_mpi_rsend_b
  public :: costate_mpi_recv_d, costate_mpi_recv_fwd, costate_mpi_recv_b
  public :: costate_mpi_sendrecv_d, costate_mpi_sendrecv_fwd, costate_mpi_sendrecv_b
  public :: costate_mpi_sendrecv_replace_d, costate_mpi_sendrecv_replace_fwd, costate_mpi_sendrecv_replace_b
  public :: costate_mpi_isend_d, costate_mpi_isend_fwd, costate_mpi_isend_b
  public :: costate_mpi_issend_d, costate_mpi_issend_fwd, costate_mpi_issend_b
  public :: costate_mpi_ibsend_d, costate_mpi_ibsend_fwd, costate_mpi_ibsend_b
  public :: costate_mpi_irsend_d, costate_mpi_irsend_fwd, costate_mpi_irsend_b
  public :: costate_mpi_irecv_d, costate_mpi_irecv_fwd, costate_mpi_irecv_b
  public :: costate_mpi_mprobe_d, costate_mpi_mprobe_fwd, costate_mpi_mprobe_b
  public :: costate_mpi_improbe_d, costate_mpi_improbe_fwd, costate_mpi_improbe_b
  public :: costate_mpi_mrecv_d, costate_mpi_mrecv_fwd, costate_mpi_mrecv_b
  public :: costate_mpi_mrecv_passive_d, costate_mpi_mrecv_passive_fwd, costate_mpi_mrecv_passive_b
  public :: costate_mpi_imrecv_d, costate_mpi_imrecv_fwd, costate_mpi_imrecv_b
  public :: costate_mpi_imrecv_passive_d, costate_mpi_imrecv_passive_fwd, costate_mpi_imrecv_passive_b
  public :: costate_mpi_pack_d, costate_mpi_pack_fwd, costate_mpi_pack_b
  public :: costate_mpi_unpack_d, costate_mpi_unpack_fwd, costate_mpi_unpack_b
  public :: costate_mpi_send_packed_d, costate_mpi_send_packed_fwd, costate_mpi_send_packed_b
  public :: costate_mpi_ssend_packed_d, costate_mpi_ssend_packed_fwd, costate_mpi_ssend_packed_b
  public :: costate_mpi_bsend_packed_d, costate_mpi_bsend_packed_fwd, costate_mpi_bsend_packed_b
  public :: costate_mpi_rsend_packed_d, costate_mpi_rsend_packed_fwd, costate_mpi_rsend_packed_b
  public :: costate_mpi_recv_packed_d, costate_mpi_recv_packed_fwd, costate_mpi_recv_packed_b
  public :: costate_mpi_sendrecv_packed_d, costate_mpi_sendrecv_packed_fwd, costate_mpi_sendrecv_packed_b
  public :: costate_mpi_isend_packed_d, costate_mpi_isend_packed_fwd, costate_mpi_isend_packed_b
  public :: costate_mpi_issend_packed_d, costate_mpi_issend_packed_fwd, costate_mpi_issend_packed_b
  public :: costate_mpi_ibsend_packed_d, costate_mpi_ibsend_packed_fwd, costate_mpi_ibsend_packed_b
  public :: costate_mpi_irsend_packed_d, costate_mpi_irsend_packed_fwd, costate_mpi_irsend_packed_b
  public :: costate_mpi_irecv_packed_d, costate_mpi_irecv_packed_fwd, costate_mpi_irecv_packed_b
  public :: costate_mpi_bcast_packed_d, costate_mpi_bcast_packed_fwd, costate_mpi_bcast_packed_b
  public :: costate_mpi_send_init_d, costate_mpi_send_init_fwd, costate_mpi_send_init_b
  public :: costate_mpi_send_init_passive_d, costate_mpi_send_init_passive_fwd, costate_mpi_send_init_passive_b
  public :: costate_mpi_ssend_init_d, costate_mpi_ssend_init_fwd, costate_mpi_ssend_init_b
  public :: costate_mpi_ssend_init_passive_d, costate_mpi_ssend_init_passive_fwd, costate_mpi_ssend_init_passive_b
  public :: costate_mpi_bsend_init_d, costate_mpi_bsend_init_fwd, costate_mpi_bsend_init_b
  public :: costate_mpi_bsend_init_passive_d, costate_mpi_bsend_init_passive_fwd, costate_mpi_bsend_init_passive_b
  public :: costate_mpi_rsend_init_d, costate_mpi_rsend_init_fwd, costate_mpi_rsend_init_b
  public :: costate_mpi_rsend_init_passive_d, costate_mpi_rsend_init_passive_fwd, costate_mpi_rsend_init_passive_b
  public :: costate_mpi_recv_init_d, costate_mpi_recv_init_fwd, costate_mpi_recv_init_b
  public :: costate_mpi_recv_init_passive_d, costate_mpi_recv_init_passive_fwd, costate_mpi_recv_init_passive_b
  public :: costate_mpi_start_d, costate_mpi_start_fwd, costate_mpi_start_b
  public :: costate_mpi_startall_d, costate_mpi_startall_fwd, costate_mpi_startall_b
  public :: costate_mpi_request_free_d, costate_mpi_request_free_fwd, costate_mpi_request_free_b
  public :: costate_mpi_wait_d, costate_mpi_wait_fwd, costate_mpi_wait_b
  public :: costate_mpi_waitall_d, costate_mpi_waitall_fwd, costate_mpi_waitall_b
  public :: costate_mpi_waitany_d, costate_mpi_waitany_fwd, costate_mpi_waitany_b
  public :: costate_mpi_waitsome_d, costate_mpi_waitsome_fwd, costate_mpi_waitsome_b
  public :: costate_mpi_test_d, costate_mpi_test_fwd, costate_mpi_test_b
  public :: costate_mpi_testall_d, costate_mpi_testall_fwd, costate_mpi_testall_b
  public :: costate_mpi_testany_d, costate_mpi_testany_fwd, costate_mpi_testany_b
  public :: costate_mpi_testsome_d, costate_mpi_testsome_fwd, costate_mpi_testsome_b
  public :: costate_mpi_comm_free_d, costate_mpi_comm_free_fwd, costate_mpi_comm_free_b
  public :: costate_mpi_type_free_d, costate_mpi_type_free_fwd, costate_mpi_type_free_b
  public :: costate_mpi_bcast_d, costate_mpi_bcast_fwd, costate_mpi_bcast_b
  public :: costate_mpi_reduce_d, costate_mpi_reduce_fwd, costate_mpi_reduce_b
  public :: costate_mpi_reduce_in_place_d, costate_mpi_reduce_in_place_fwd, costate_mpi_reduce_in_place_b
  public :: costate_mpi_allreduce_d, costate_mpi_allreduce_fwd, costate_mpi_allreduce_b
  public :: costate_mpi_allreduce_in_place_d, costate_mpi_allreduce_in_place_fwd, costate_mpi_allreduce_in_place_b
  public :: costate_mpi_scan_d, costate_mpi_scan_fwd, costate_mpi_scan_b
  public :: costate_mpi_scan_in_place_d, costate_mpi_scan_in_place_fwd, costate_mpi_scan_in_place_b
  public :: costate_mpi_exscan_d, costate_mpi_exscan_fwd, costate_mpi_exscan_b
  public :: costate_mpi_exscan_in_place_d, costate_mpi_exscan_in_place_fwd, costate_mpi_exscan_in_place_b
  public :: costate_mpi_reduce_scatter_d, costate_mpi_reduce_scatter_fwd, costate_mpi_reduce_scatter_b
  public :: costate_mpi_reduce_scatter_in_place_d, costate_mpi_reduce_scatter_in_place_fwd, &
    costate_mpi_reduce_scatter_in_place_b
  public :: costate_mpi_reduce_scatter_block_d, costate_mpi_reduce_scatter_block_fwd, costate_mpi_reduce_scatter_block_b
  public :: costate_mpi_reduce_scatter_block_in_place_d, costate_mpi_reduce_scatter_block_in_place_fwd, &
    costate_mpi_reduce_scatter_block_in_place_b
  public :: costate_mpi_gather_d, costate_mpi_gather_fwd, costate_mpi_gather_b
  public :: costate_mpi_gather_in_place_d, costate_mpi_gather_in_place_fwd, costate_mpi_gather_in_place_b
  public :: costate_mpi_gatherv_d, costate_mpi_gatherv_fwd, costate_mpi_gatherv_b
  public :: costate_mpi_gatherv_in_place_d, costate_mpi_gatherv_in_place_fwd, costate_mpi_gatherv_in_place_b
  public :: costate_mpi_scatter_d, costate_mpi_scatter_fwd, costate_mpi_scatter_b
  public :: costate_mpi_scatter_in_place_d, costate_mpi_scatter_in_place_fwd, costate_mpi_scatter_in_place_b
  public :: costate_mpi_scatterv_d, costate_mpi_scatterv_fwd, costate_mpi_scatterv_b
  public :: costate_mpi_scatterv_in_place_d, costate_mpi_scatterv_in_place_fwd, costate_mpi_scatterv_in_place_b
  public :: costate_mpi_allgather_d, costate_mpi_allgather_fwd, costate_mpi_allgather_b
  public :: costate_mpi_allgather_in_place_d, costate_mpi_allgather_in_place_fwd, costate_mpi_allgather_in_place_b
  public :: costate_mpi_allgatherv_d, costate_mpi_allgatherv_fwd, costate_mpi_allgatherv_b
  public :: costate_mpi_allgatherv_in_place_d, costate_mpi_allgatherv_in_place_fwd, costate_mpi_allgatherv_in_place_b
  public :: costate_mpi_alltoall_d, costate_mpi_alltoall_fwd, costate_mpi_alltoall_b
  public :: costate_mpi_alltoall_in_place_d, costate_mpi_alltoall_in_place_fwd, costate_mpi_alltoall_in_place_b
  public :: costate_mpi_alltoallv_d, costate_mpi_alltoallv_fwd, costate_mpi_alltoallv_b
  public :: costate_mpi_alltoallv_in_place_d, costate_mpi_alltoallv_in_place_fwd, costate_mpi_alltoallv_in_place_b
  public :: costate_mpi_ibcast_d, costate_mpi_ibcast_b, costate_mpi_ireduce_d
  public :: costate_mpi_ireduce_b, costate_mpi_ireduce_in_place_d, costate_mpi_ireduce_in_place_b
  public :: costate_mpi_iallreduce_d, costate_mpi_iallreduce_b, costate_mpi_iallreduce_in_place_d
  public :: costate_mpi_iallreduce_in_place_b, costate_mpi_iscan_d, costate_mpi_iscan_b
  public :: costate_mpi_iscan_in_place_d, costate_mpi_iscan_in_place_b, costate_mpi_iexscan_d
  public :: costate_mpi_iexscan_b, costate_mpi_iexscan_in_place_d, costate_mpi_iexscan_in_place_b
  public :: costate_mpi_ireduce_scatter_d, costate_mpi_ireduce_scatter_b, costate_mpi_ireduce_scatter_in_place_d
  public :: costate_mpi_ireduce_scatter_in_place_b, costate_mpi_ireduce_scatter_block_d, &
    costate_mpi_ireduce_scatter_block_b
  public :: costate_mpi_ireduce_scatter_block_in_place_d, costate_mpi_ireduce_scatter_block_in_place_b, &
    costate_mpi_igather_d
  public :: costate_mpi_igather_b, costate_mpi_igather_in_place_d, costate_mpi_igather_in_place_b
  public :: costate_mpi_igatherv_d, costate_mpi_igatherv_b, costate_mpi_igatherv_in_place_d
  public :: costate_mpi_igatherv_in_place_b, costate_mpi_iscatter_d, costate_mpi_iscatter_b
  public :: costate_mpi_iscatter_in_place_d, costate_mpi_iscatter_in_place_b, costate_mpi_iscatterv_d
  public :: costate_mpi_iscatterv_b, costate_mpi_iscatterv_in_place_d, costate_mpi_iscatterv_in_place_b
  public :: costate_mpi_iallgather_d, costate_mpi_iallgather_b, costate_mpi_iallgather_in_place_d
  public :: costate_mpi_iallgather_in_place_b, costate_mpi_iallgatherv_d, costate_mpi_iallgatherv_b
  public :: costate_mpi_iallgatherv_in_place_d, costate_mpi_iallgatherv_in_place_b, costate_mpi_ialltoall_d
  public :: costate_mpi_ialltoall_b, costate_mpi_ialltoall_in_place_d, costate_mpi_ialltoall_in_place_b
  public :: costate_mpi_ialltoallv_d, costate_mpi_ialltoallv_b, costate_mpi_ialltoallv_in_place_d
  public :: costate_mpi_ialltoallv_in_place_b, costate_mpi_ialltoallw_d, costate_mpi_ialltoallw_b
  public :: costate_mpi_ialltoallw_in_place_d, costate_mpi_ialltoallw_in_place_b, costate_mpi_alltoallw_d
  public :: costate_mpi_alltoallw_fwd, costate_mpi_alltoallw_b, costate_mpi_alltoallw_in_place_d
  public :: costate_mpi_alltoallw_in_place_fwd, costate_mpi_alltoallw_in_place_b, costate_mpi_neighbor_allgather_d
  public :: costate_mpi_neighbor_allgather_fwd, costate_mpi_neighbor_allgather_b, costate_mpi_neighbor_allgatherv_d
  public :: costate_mpi_neighbor_allgatherv_fwd, costate_mpi_neighbor_allgatherv_b, costate_mpi_neighbor_alltoall_d
  public :: costate_mpi_neighbor_alltoall_fwd, costate_mpi_neighbor_alltoall_b, costate_mpi_neighbor_alltoallv_d
  public :: costate_mpi_neighbor_alltoallv_fwd, costate_mpi_neighbor_alltoallv_b, costate_mpi_ineighbor_allgather_d
  public :: costate_mpi_ineighbor_allgather_b, costate_mpi_ineighbor_allgatherv_d, costate_mpi_ineighbor_allgatherv_b
  public :: costate_mpi_ineighbor_alltoall_d, costate_mpi_ineighbor_alltoall_b, costate_mpi_ineighbor_alltoallv_d
  public :: costate_mpi_ineighbor_alltoallv_b

  interface
    subroutine costate_mpi_begin_d() &
      bind(c, name="costate_mpi_begin_d")
    end subroutine
    subroutine costate_mpi_begin_fwd() &
      bind(c, name="costate_mpi_begin_fwd")
    end subroutine
    subroutine costate_mpi_begin_b() &
      bind(c, name="costate_mpi_begin_b")
    end subroutine
    subroutine costate_mpi_arrived_d(buf, buf_d, n) &
      bind(c, name="costate_mpi_arrived_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, n
      !DIR$ IGNORE_TKR buf, buf_d, n
      type(*), dimension(*) :: buf, buf_d
      type(*), dimension(*), intent(in) :: n
    end subroutine
    subroutine costate_mpi_arrived_fwd(buf, n) &
      bind(c, name="costate_mpi_arrived_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, n
      !DIR$ IGNORE_TKR buf, n
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: n
    end subroutine
    subroutine costate_mpi_arrived_b(buf, buf_b, n) &
      bind(c, name="costate_mpi_arrived_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, n
      !DIR$ IGNORE_TKR buf, buf_b, n
      type(*), dimension(*) :: buf, buf_b
      type(*), dimension(*), intent(in) :: n
    end subroutine
    subroutine costate_mpi_leaving_d(buf, buf_d, n) &
      bind(c, name="costate_mpi_leaving_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, n
      !DIR$ IGNORE_TKR buf, buf_d, n
      type(*), dimension(*) :: buf, buf_d
      type(*), dimension(*), intent(in) :: n
    end subroutine
    subroutine costate_mpi_leaving_fwd(buf, n) &
      bind(c, name="costate_mpi_leaving_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, n
      !DIR$ IGNORE_TKR buf, n
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: n
    end subroutine
    subroutine costate_mpi_leaving_b(buf, buf_b, n) &
      bind(c, name="costate_mpi_leaving_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, n
      !DIR$ IGNORE_TKR buf, buf_b, n
      type(*), dimension(*) :: buf, buf_b
      type(*), dimension(*), intent(in) :: n
    end subroutine
    subroutine costate_mpi_awaiting_d(buf, buf_d, n) &
      bind(c, name="costate_mpi_awaiting_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, n
      !DIR$ IGNORE_TKR buf, buf_d, n
      type(*), dimension(*) :: buf, buf_d
      type(*), dimension(*), intent(in) :: n
    end subroutine
    subroutine costate_mpi_awaiting_fwd(buf, n) &
      bind(c, name="costate_mpi_awaiting_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, n
      !DIR$ IGNORE_TKR buf, n
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: n
    end subroutine
    subroutine costate_mpi_awaiting_b(buf, buf_b, n) &
      bind(c, name="costate_mpi_awaiting_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, n
      !DIR$ IGNORE_TKR buf, buf_b, n
      type(*), dimension(*) :: buf, buf_b
      type(*), dimension(*), intent(in) :: n
    end subroutine
    subroutine costate_mpi_communicator(comm) &
      bind(c, name="costate_mpi_communicator")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm
      !DIR$ IGNORE_TKR comm
      type(*), dimension(*), intent(in) :: comm
    end subroutine
    subroutine costate_mpi_communicator_d(comm) &
      bind(c, name="costate_mpi_communicator_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm
      !DIR$ IGNORE_TKR comm
      type(*), dimension(*), intent(in) :: comm
    end subroutine
    subroutine costate_mpi_communicator_fwd(comm) &
      bind(c, name="costate_mpi_communicator_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm
      !DIR$ IGNORE_TKR comm
      type(*), dimension(*), intent(in) :: comm
    end subroutine
    subroutine costate_mpi_communicator_b(comm) &
      bind(c, name="costate_mpi_communicator_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm
      !DIR$ IGNORE_TKR comm
      type(*), dimension(*), intent(in) :: comm
    end subroutine
    subroutine costate_mpi_world(comm) &
      bind(c, name="costate_mpi_world")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm
      !DIR$ IGNORE_TKR comm
      type(*), dimension(*), intent(in) :: comm
    end subroutine
    subroutine costate_mpi_even(size, of, root, comm, room, at) &
      bind(c, name="costate_mpi_even")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: size, of, root, comm, room
      !DIR$ IGNORE_TKR size, of, root, comm, room
      type(*), dimension(*), intent(in) :: size, of, root, comm, room
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_listed(counts, displs, of, root, comm, room, at) &
      bind(c, name="costate_mpi_listed")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: counts, displs, of, root, comm, room
      !DIR$ IGNORE_TKR counts, displs, of, root, comm, room
      type(*), dimension(*), intent(in) :: counts, displs, of, root, comm, room
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_summed(counts, of, root, comm, room, at) &
      bind(c, name="costate_mpi_summed")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: counts, of, root, comm, room
      !DIR$ IGNORE_TKR counts, of, root, comm, room
      type(*), dimension(*), intent(in) :: counts, of, root, comm, room
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_own(counts, of, root, comm, room, at) &
      bind(c, name="costate_mpi_own")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: counts, of, root, comm, room
      !DIR$ IGNORE_TKR counts, of, root, comm, room
      type(*), dimension(*), intent(in) :: counts, of, root, comm, room
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_send_d(buf, buf_d, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_send_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, buf_d, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf, buf_d
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_send_fwd(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_send_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_send_b(buf, buf_b, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_send_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, buf_b, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf, buf_b
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ssend_d(buf, buf_d, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_ssend_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, buf_d, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf, buf_d
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ssend_fwd(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_ssend_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ssend_b(buf, buf_b, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_ssend_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, buf_b, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf, buf_b
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bsend_d(buf, buf_d, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_bsend_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, buf_d, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf, buf_d
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bsend_fwd(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_bsend_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bsend_b(buf, buf_b, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_bsend_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, buf_b, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf, buf_b
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_rsend_d(buf, buf_d, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_rsend_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, buf_d, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf, buf_d
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_rsend_fwd(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_rsend_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_rsend_b(buf, buf_b, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_rsend_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, buf_b, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf, buf_b
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_recv_d(buf, buf_d, count, datatype, source, tag, comm, status, ierror, &
      at) &
      bind(c, name="costate_mpi_recv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, count, datatype, source, tag, comm, status
      !DIR$ IGNORE_TKR buf, buf_d, count, datatype, source, tag, comm, status
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: buf, buf_d, status
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_recv_fwd(buf, count, datatype, source, tag, comm, status, ierror, &
      at) &
      bind(c, name="costate_mpi_recv_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, source, tag, comm, status, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, source, tag, comm, status, ierror
      type(*), dimension(*) :: buf, status
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_recv_b(buf, buf_b, count, datatype, source, tag, comm, status, ierror, &
      at) &
      bind(c, name="costate_mpi_recv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, count, datatype, source, tag, comm, status
      !DIR$ IGNORE_TKR buf, buf_b, count, datatype, source, tag, comm, status
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: buf, buf_b, status
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_sendrecv_d(sendbuf, sendbuf_d, sendcount, sendtype, dest, sendtag, recvbuf, recvbuf_d, &
      recvcount, recvtype, source, recvtag, comm, status, ierror, at) &
      bind(c, name="costate_mpi_sendrecv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, dest, sendtag, recvbuf, recvbuf_d
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, dest, sendtag, recvbuf, recvbuf_d
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvcount, recvtype, source, recvtag, comm, status, ierror
      !DIR$ IGNORE_TKR recvcount, recvtype, source, recvtag, comm, status, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, status
      type(*), dimension(*), intent(in) :: sendcount, sendtype, dest, sendtag, recvcount, recvtype, source, recvtag, &
        comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_sendrecv_fwd(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, &
      source, recvtag, comm, status, ierror, at) &
      bind(c, name="costate_mpi_sendrecv_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: source, recvtag, comm, status, ierror
      !DIR$ IGNORE_TKR source, recvtag, comm, status, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, status
      type(*), dimension(*), intent(in) :: sendcount, sendtype, dest, sendtag, recvcount, recvtype, source, recvtag, &
        comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_sendrecv_b(sendbuf, sendbuf_b, sendcount, sendtype, dest, sendtag, recvbuf, recvbuf_b, &
      recvcount, recvtype, source, recvtag, comm, status, ierror, at) &
      bind(c, name="costate_mpi_sendrecv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, dest, sendtag, recvbuf, recvbuf_b
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, dest, sendtag, recvbuf, recvbuf_b
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvcount, recvtype, source, recvtag, comm, status, ierror
      !DIR$ IGNORE_TKR recvcount, recvtype, source, recvtag, comm, status, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, status
      type(*), dimension(*), intent(in) :: sendcount, sendtype, dest, sendtag, recvcount, recvtype, source, recvtag, &
        comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_sendrecv_replace_d(buf, buf_d, count, datatype, dest, sendtag, source, recvtag, comm, &
      status, ierror, at) &
      bind(c, name="costate_mpi_sendrecv_replace_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, count, datatype, dest, sendtag, source, recvtag
      !DIR$ IGNORE_TKR buf, buf_d, count, datatype, dest, sendtag, source, recvtag
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, status, ierror
      !DIR$ IGNORE_TKR comm, status, ierror
      type(*), dimension(*) :: buf, buf_d, status
      type(*), dimension(*), intent(in) :: count, datatype, dest, sendtag, source, recvtag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_sendrecv_replace_fwd(buf, count, datatype, dest, sendtag, source, recvtag, comm, status, &
      ierror, at) &
      bind(c, name="costate_mpi_sendrecv_replace_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, sendtag, source, recvtag, comm
      !DIR$ IGNORE_TKR buf, count, datatype, dest, sendtag, source, recvtag, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: status, ierror
      !DIR$ IGNORE_TKR status, ierror
      type(*), dimension(*) :: buf, status
      type(*), dimension(*), intent(in) :: count, datatype, dest, sendtag, source, recvtag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_sendrecv_replace_b(buf, buf_b, count, datatype, dest, sendtag, source, recvtag, comm, &
      status, ierror, at) &
      bind(c, name="costate_mpi_sendrecv_replace_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, count, datatype, dest, sendtag, source, recvtag
      !DIR$ IGNORE_TKR buf, buf_b, count, datatype, dest, sendtag, source, recvtag
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, status, ierror
      !DIR$ IGNORE_TKR comm, status, ierror
      type(*), dimension(*) :: buf, buf_b, status
      type(*), dimension(*), intent(in) :: count, datatype, dest, sendtag, source, recvtag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_isend_d(buf, buf_d, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_isend_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, count, datatype, dest, tag, comm, request
      !DIR$ IGNORE_TKR buf, buf_d, count, datatype, dest, tag, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: buf, buf_d, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_isend_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_isend_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_isend_b(buf, buf_b, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_isend_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, count, datatype, dest, tag, comm, request
      !DIR$ IGNORE_TKR buf, buf_b, count, datatype, dest, tag, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: buf, buf_b, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_issend_d(buf, buf_d, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_issend_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, count, datatype, dest, tag, comm, request
      !DIR$ IGNORE_TKR buf, buf_d, count, datatype, dest, tag, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: buf, buf_d, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_issend_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_issend_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_issend_b(buf, buf_b, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_issend_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, count, datatype, dest, tag, comm, request
      !DIR$ IGNORE_TKR buf, buf_b, count, datatype, dest, tag, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: buf, buf_b, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ibsend_d(buf, buf_d, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ibsend_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, count, datatype, dest, tag, comm, request
      !DIR$ IGNORE_TKR buf, buf_d, count, datatype, dest, tag, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: buf, buf_d, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ibsend_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ibsend_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ibsend_b(buf, buf_b, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ibsend_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, count, datatype, dest, tag, comm, request
      !DIR$ IGNORE_TKR buf, buf_b, count, datatype, dest, tag, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: buf, buf_b, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_irsend_d(buf, buf_d, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_irsend_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, count, datatype, dest, tag, comm, request
      !DIR$ IGNORE_TKR buf, buf_d, count, datatype, dest, tag, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: buf, buf_d, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_irsend_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_irsend_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_irsend_b(buf, buf_b, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_irsend_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, count, datatype, dest, tag, comm, request
      !DIR$ IGNORE_TKR buf, buf_b, count, datatype, dest, tag, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: buf, buf_b, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_irecv_d(buf, buf_d, count, datatype, source, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_irecv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, count, datatype, source, tag, comm, request
      !DIR$ IGNORE_TKR buf, buf_d, count, datatype, source, tag, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: buf, buf_d, request
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_irecv_fwd(buf, count, datatype, source, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_irecv_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, source, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, source, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_irecv_b(buf, buf_b, count, datatype, source, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_irecv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, count, datatype, source, tag, comm, request
      !DIR$ IGNORE_TKR buf, buf_b, count, datatype, source, tag, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: buf, buf_b, request
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_mprobe_d(source, tag, comm, message, status, ierror, &
      at) &
      bind(c, name="costate_mpi_mprobe_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: source, tag, comm, message, status, ierror
      !DIR$ IGNORE_TKR source, tag, comm, message, status, ierror
      type(*), dimension(*) :: message, status
      type(*), dimension(*), intent(in) :: source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_mprobe_fwd(source, tag, comm, message, status, ierror, &
      at) &
      bind(c, name="costate_mpi_mprobe_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: source, tag, comm, message, status, ierror
      !DIR$ IGNORE_TKR source, tag, comm, message, status, ierror
      type(*), dimension(*) :: message, status
      type(*), dimension(*), intent(in) :: source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_mprobe_b(source, tag, comm, message, status, ierror, &
      at) &
      bind(c, name="costate_mpi_mprobe_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: source, tag, comm, message, status, ierror
      !DIR$ IGNORE_TKR source, tag, comm, message, status, ierror
      type(*), dimension(*) :: message, status
      type(*), dimension(*), intent(in) :: source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_improbe_d(source, tag, comm, flag, message, status, ierror, &
      at) &
      bind(c, name="costate_mpi_improbe_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: source, tag, comm, flag, message, status, ierror
      !DIR$ IGNORE_TKR source, tag, comm, flag, message, status, ierror
      type(*), dimension(*) :: flag, message, status
      type(*), dimension(*), intent(in) :: source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_improbe_fwd(source, tag, comm, flag, message, status, ierror, &
      at) &
      bind(c, name="costate_mpi_improbe_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: source, tag, comm, flag, message, status, ierror
      !DIR$ IGNORE_TKR source, tag, comm, flag, message, status, ierror
      type(*), dimension(*) :: flag, message, status
      type(*), dimension(*), intent(in) :: source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_improbe_b(source, tag, comm, flag, message, status, ierror, &
      at) &
      bind(c, name="costate_mpi_improbe_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: source, tag, comm, flag, message, status, ierror
      !DIR$ IGNORE_TKR source, tag, comm, flag, message, status, ierror
      type(*), dimension(*) :: flag, message, status
      type(*), dimension(*), intent(in) :: source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_mrecv_d(buf, buf_d, count, datatype, message, status, ierror, &
      at) &
      bind(c, name="costate_mpi_mrecv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, count, datatype, message, status, ierror
      !DIR$ IGNORE_TKR buf, buf_d, count, datatype, message, status, ierror
      type(*), dimension(*) :: buf, buf_d, message, status
      type(*), dimension(*), intent(in) :: count, datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_mrecv_fwd(buf, count, datatype, message, status, ierror, &
      at) &
      bind(c, name="costate_mpi_mrecv_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, message, status, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, message, status, ierror
      type(*), dimension(*) :: buf, message, status
      type(*), dimension(*), intent(in) :: count, datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_mrecv_b(buf, buf_b, count, datatype, message, status, ierror, &
      at) &
      bind(c, name="costate_mpi_mrecv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, count, datatype, message, status, ierror
      !DIR$ IGNORE_TKR buf, buf_b, count, datatype, message, status, ierror
      type(*), dimension(*) :: buf, buf_b, message, status
      type(*), dimension(*), intent(in) :: count, datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_mrecv_passive_d(buf, count, datatype, message, status, ierror, &
      at) &
      bind(c, name="costate_mpi_mrecv_passive_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, message, status, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, message, status, ierror
      type(*), dimension(*) :: buf, message, status
      type(*), dimension(*), intent(in) :: count, datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_mrecv_passive_fwd(buf, count, datatype, message, status, ierror, &
      at) &
      bind(c, name="costate_mpi_mrecv_passive_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, message, status, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, message, status, ierror
      type(*), dimension(*) :: buf, message, status
      type(*), dimension(*), intent(in) :: count, datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_mrecv_passive_b(buf, count, datatype, message, status, ierror, &
      at) &
      bind(c, name="costate_mpi_mrecv_passive_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, message, status, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, message, status, ierror
      type(*), dimension(*) :: buf, message, status
      type(*), dimension(*), intent(in) :: count, datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_imrecv_d(buf, buf_d, count, datatype, message, request, ierror, &
      at) &
      bind(c, name="costate_mpi_imrecv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_d, count, datatype, message, request, ierror
      !DIR$ IGNORE_TKR buf, buf_d, count, datatype, message, request, ierror
      type(*), dimension(*) :: buf, buf_d, message, request
      type(*), dimension(*), intent(in) :: count, datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_imrecv_fwd(buf, count, datatype, message, request, ierror, &
      at) &
      bind(c, name="costate_mpi_imrecv_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, message, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, message, request, ierror
      type(*), dimension(*) :: buf, message, request
      type(*), dimension(*), intent(in) :: count, datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_imrecv_b(buf, buf_b, count, datatype, message, request, ierror, &
      at) &
      bind(c, name="costate_mpi_imrecv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, buf_b, count, datatype, message, request, ierror
      !DIR$ IGNORE_TKR buf, buf_b, count, datatype, message, request, ierror
      type(*), dimension(*) :: buf, buf_b, message, request
      type(*), dimension(*), intent(in) :: count, datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_imrecv_passive_d(buf, count, datatype, message, request, ierror, &
      at) &
      bind(c, name="costate_mpi_imrecv_passive_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, message, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, message, request, ierror
      type(*), dimension(*) :: buf, message, request
      type(*), dimension(*), intent(in) :: count, datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_imrecv_passive_fwd(buf, count, datatype, message, request, ierror, &
      at) &
      bind(c, name="costate_mpi_imrecv_passive_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, message, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, message, request, ierror
      type(*), dimension(*) :: buf, message, request
      type(*), dimension(*), intent(in) :: count, datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_imrecv_passive_b(buf, count, datatype, message, request, ierror, &
      at) &
      bind(c, name="costate_mpi_imrecv_passive_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, message, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, message, request, ierror
      type(*), dimension(*) :: buf, message, request
      type(*), dimension(*), intent(in) :: count, datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_pack_d(inbuf, inbuf_d, incount, datatype, outbuf, outsize, position, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_pack_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf, inbuf_d, incount, datatype, outbuf, outsize, position, comm
      !DIR$ IGNORE_TKR inbuf, inbuf_d, incount, datatype, outbuf, outsize, position, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: inbuf, inbuf_d, outbuf, position
      type(*), dimension(*), intent(in) :: incount, datatype, outsize, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_pack_fwd(inbuf, incount, datatype, outbuf, outsize, position, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_pack_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf, incount, datatype, outbuf, outsize, position, comm, ierror
      !DIR$ IGNORE_TKR inbuf, incount, datatype, outbuf, outsize, position, comm, ierror
      type(*), dimension(*) :: inbuf, outbuf, position
      type(*), dimension(*), intent(in) :: incount, datatype, outsize, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_pack_b(inbuf, inbuf_b, incount, datatype, outbuf, outsize, position, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_pack_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf, inbuf_b, incount, datatype, outbuf, outsize, position, comm
      !DIR$ IGNORE_TKR inbuf, inbuf_b, incount, datatype, outbuf, outsize, position, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: inbuf, inbuf_b, outbuf, position
      type(*), dimension(*), intent(in) :: incount, datatype, outsize, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_unpack_d(inbuf, insize, position, outbuf, outbuf_d, outcount, datatype, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_unpack_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf, insize, position, outbuf, outbuf_d, outcount, datatype, comm
      !DIR$ IGNORE_TKR inbuf, insize, position, outbuf, outbuf_d, outcount, datatype, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: inbuf, position, outbuf, outbuf_d, outcount
      type(*), dimension(*), intent(in) :: insize, datatype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_unpack_fwd(inbuf, insize, position, outbuf, outcount, datatype, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_unpack_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf, insize, position, outbuf, outcount, datatype, comm, ierror
      !DIR$ IGNORE_TKR inbuf, insize, position, outbuf, outcount, datatype, comm, ierror
      type(*), dimension(*) :: inbuf, position, outbuf, outcount
      type(*), dimension(*), intent(in) :: insize, datatype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_unpack_b(inbuf, insize, position, outbuf, outbuf_b, outcount, datatype, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_unpack_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: inbuf, insize, position, outbuf, outbuf_b, outcount, datatype, comm
      !DIR$ IGNORE_TKR inbuf, insize, position, outbuf, outbuf_b, outcount, datatype, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: inbuf, position, outbuf, outbuf_b, outcount
      type(*), dimension(*), intent(in) :: insize, datatype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_send_packed_d(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_send_packed_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_send_packed_fwd(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_send_packed_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_send_packed_b(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_send_packed_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ssend_packed_d(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_ssend_packed_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ssend_packed_fwd(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_ssend_packed_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ssend_packed_b(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_ssend_packed_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bsend_packed_d(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_bsend_packed_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bsend_packed_fwd(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_bsend_packed_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bsend_packed_b(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_bsend_packed_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_rsend_packed_d(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_rsend_packed_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_rsend_packed_fwd(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_rsend_packed_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_rsend_packed_b(buf, count, datatype, dest, tag, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_rsend_packed_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, ierror
      type(*), dimension(*) :: buf
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_recv_packed_d(buf, count, datatype, source, tag, comm, status, ierror, &
      at) &
      bind(c, name="costate_mpi_recv_packed_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, source, tag, comm, status, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, source, tag, comm, status, ierror
      type(*), dimension(*) :: buf, status
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_recv_packed_fwd(buf, count, datatype, source, tag, comm, status, ierror, &
      at) &
      bind(c, name="costate_mpi_recv_packed_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, source, tag, comm, status, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, source, tag, comm, status, ierror
      type(*), dimension(*) :: buf, status
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_recv_packed_b(buf, count, datatype, source, tag, comm, status, ierror, &
      at) &
      bind(c, name="costate_mpi_recv_packed_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, source, tag, comm, status, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, source, tag, comm, status, ierror
      type(*), dimension(*) :: buf, status
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_sendrecv_packed_d(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, &
      source, recvtag, comm, status, ierror, at) &
      bind(c, name="costate_mpi_sendrecv_packed_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: source, recvtag, comm, status, ierror
      !DIR$ IGNORE_TKR source, recvtag, comm, status, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, status
      type(*), dimension(*), intent(in) :: sendcount, sendtype, dest, sendtag, recvcount, recvtype, source, recvtag, &
        comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_sendrecv_packed_fwd(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, &
      recvtype, source, recvtag, comm, status, ierror, at) &
      bind(c, name="costate_mpi_sendrecv_packed_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: source, recvtag, comm, status, ierror
      !DIR$ IGNORE_TKR source, recvtag, comm, status, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, status
      type(*), dimension(*), intent(in) :: sendcount, sendtype, dest, sendtag, recvcount, recvtype, source, recvtag, &
        comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_sendrecv_packed_b(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, &
      source, recvtag, comm, status, ierror, at) &
      bind(c, name="costate_mpi_sendrecv_packed_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: source, recvtag, comm, status, ierror
      !DIR$ IGNORE_TKR source, recvtag, comm, status, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, status
      type(*), dimension(*), intent(in) :: sendcount, sendtype, dest, sendtag, recvcount, recvtype, source, recvtag, &
        comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_isend_packed_d(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_isend_packed_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_isend_packed_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_isend_packed_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_isend_packed_b(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_isend_packed_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_issend_packed_d(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_issend_packed_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_issend_packed_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_issend_packed_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_issend_packed_b(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_issend_packed_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ibsend_packed_d(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ibsend_packed_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ibsend_packed_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ibsend_packed_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ibsend_packed_b(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ibsend_packed_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_irsend_packed_d(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_irsend_packed_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_irsend_packed_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_irsend_packed_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_irsend_packed_b(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_irsend_packed_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_irecv_packed_d(buf, count, datatype, source, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_irecv_packed_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, source, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, source, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_irecv_packed_fwd(buf, count, datatype, source, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_irecv_packed_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, source, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, source, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_irecv_packed_b(buf, count, datatype, source, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_irecv_packed_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, source, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, source, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bcast_packed_d(buffer, count, datatype, root, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_bcast_packed_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer, count, datatype, root, comm, ierror
      !DIR$ IGNORE_TKR buffer, count, datatype, root, comm, ierror
      type(*), dimension(*) :: buffer
      type(*), dimension(*), intent(in) :: count, datatype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bcast_packed_fwd(buffer, count, datatype, root, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_bcast_packed_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer, count, datatype, root, comm, ierror
      !DIR$ IGNORE_TKR buffer, count, datatype, root, comm, ierror
      type(*), dimension(*) :: buffer
      type(*), dimension(*), intent(in) :: count, datatype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bcast_packed_b(buffer, count, datatype, root, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_bcast_packed_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer, count, datatype, root, comm, ierror
      !DIR$ IGNORE_TKR buffer, count, datatype, root, comm, ierror
      type(*), dimension(*) :: buffer
      type(*), dimension(*), intent(in) :: count, datatype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_send_init_d(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_send_init_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_send_init_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_send_init_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_send_init_b(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_send_init_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_send_init_passive_d(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_send_init_passive_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_send_init_passive_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_send_init_passive_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_send_init_passive_b(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_send_init_passive_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ssend_init_d(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ssend_init_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ssend_init_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ssend_init_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ssend_init_b(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ssend_init_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ssend_init_passive_d(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ssend_init_passive_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ssend_init_passive_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ssend_init_passive_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ssend_init_passive_b(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ssend_init_passive_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bsend_init_d(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_bsend_init_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bsend_init_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_bsend_init_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bsend_init_b(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_bsend_init_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bsend_init_passive_d(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_bsend_init_passive_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bsend_init_passive_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_bsend_init_passive_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bsend_init_passive_b(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_bsend_init_passive_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_rsend_init_d(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_rsend_init_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_rsend_init_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_rsend_init_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_rsend_init_b(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_rsend_init_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_rsend_init_passive_d(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_rsend_init_passive_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_rsend_init_passive_fwd(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_rsend_init_passive_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_rsend_init_passive_b(buf, count, datatype, dest, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_rsend_init_passive_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, dest, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, dest, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, dest, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_recv_init_d(buf, count, datatype, source, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_recv_init_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, source, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, source, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_recv_init_fwd(buf, count, datatype, source, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_recv_init_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, source, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, source, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_recv_init_b(buf, count, datatype, source, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_recv_init_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, source, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, source, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_recv_init_passive_d(buf, count, datatype, source, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_recv_init_passive_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, source, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, source, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_recv_init_passive_fwd(buf, count, datatype, source, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_recv_init_passive_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, source, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, source, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_recv_init_passive_b(buf, count, datatype, source, tag, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_recv_init_passive_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf, count, datatype, source, tag, comm, request, ierror
      !DIR$ IGNORE_TKR buf, count, datatype, source, tag, comm, request, ierror
      type(*), dimension(*) :: buf, request
      type(*), dimension(*), intent(in) :: count, datatype, source, tag, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_start_d(request, ierror, at) &
      bind(c, name="costate_mpi_start_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: request
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_start_fwd(request, ierror, at) &
      bind(c, name="costate_mpi_start_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: request
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_start_b(request, ierror, at) &
      bind(c, name="costate_mpi_start_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: request
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_startall_d(count, requests, ierror, at) &
      bind(c, name="costate_mpi_startall_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, ierror
      !DIR$ IGNORE_TKR count, requests, ierror
      type(*), dimension(*) :: requests
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_startall_fwd(count, requests, ierror, at) &
      bind(c, name="costate_mpi_startall_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, ierror
      !DIR$ IGNORE_TKR count, requests, ierror
      type(*), dimension(*) :: requests
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_startall_b(count, requests, ierror, at) &
      bind(c, name="costate_mpi_startall_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, ierror
      !DIR$ IGNORE_TKR count, requests, ierror
      type(*), dimension(*) :: requests
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_request_free_d(request, ierror, at) &
      bind(c, name="costate_mpi_request_free_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: request
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_request_free_fwd(request, ierror, at) &
      bind(c, name="costate_mpi_request_free_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: request
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_request_free_b(request, ierror, at) &
      bind(c, name="costate_mpi_request_free_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: request
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_wait_d(request, status, ierror, at) &
      bind(c, name="costate_mpi_wait_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, status, ierror
      !DIR$ IGNORE_TKR request, status, ierror
      type(*), dimension(*) :: request, status
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_wait_fwd(request, status, ierror, at) &
      bind(c, name="costate_mpi_wait_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, status, ierror
      !DIR$ IGNORE_TKR request, status, ierror
      type(*), dimension(*) :: request, status
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_wait_b(request, status, ierror, at) &
      bind(c, name="costate_mpi_wait_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, status, ierror
      !DIR$ IGNORE_TKR request, status, ierror
      type(*), dimension(*) :: request, status
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_waitall_d(count, requests, statuses, ierror, &
      at) &
      bind(c, name="costate_mpi_waitall_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, statuses, ierror
      !DIR$ IGNORE_TKR count, requests, statuses, ierror
      type(*), dimension(*) :: requests, statuses
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_waitall_fwd(count, requests, statuses, ierror, &
      at) &
      bind(c, name="costate_mpi_waitall_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, statuses, ierror
      !DIR$ IGNORE_TKR count, requests, statuses, ierror
      type(*), dimension(*) :: requests, statuses
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_waitall_b(count, requests, statuses, ierror, &
      at) &
      bind(c, name="costate_mpi_waitall_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, statuses, ierror
      !DIR$ IGNORE_TKR count, requests, statuses, ierror
      type(*), dimension(*) :: requests, statuses
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_waitany_d(count, requests, index, status, ierror, &
      at) &
      bind(c, name="costate_mpi_waitany_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, index, status, ierror
      !DIR$ IGNORE_TKR count, requests, index, status, ierror
      type(*), dimension(*) :: requests, index, status
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_waitany_fwd(count, requests, index, status, ierror, &
      at) &
      bind(c, name="costate_mpi_waitany_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, index, status, ierror
      !DIR$ IGNORE_TKR count, requests, index, status, ierror
      type(*), dimension(*) :: requests, index, status
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_waitany_b(count, requests, index, status, ierror, &
      at) &
      bind(c, name="costate_mpi_waitany_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, index, status, ierror
      !DIR$ IGNORE_TKR count, requests, index, status, ierror
      type(*), dimension(*) :: requests, index, status
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_waitsome_d(count, requests, outcount, indices, statuses, ierror, &
      at) &
      bind(c, name="costate_mpi_waitsome_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, outcount, indices, statuses, ierror
      !DIR$ IGNORE_TKR count, requests, outcount, indices, statuses, ierror
      type(*), dimension(*) :: requests, outcount, indices, statuses
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_waitsome_fwd(count, requests, outcount, indices, statuses, ierror, &
      at) &
      bind(c, name="costate_mpi_waitsome_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, outcount, indices, statuses, ierror
      !DIR$ IGNORE_TKR count, requests, outcount, indices, statuses, ierror
      type(*), dimension(*) :: requests, outcount, indices, statuses
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_waitsome_b(count, requests, outcount, indices, statuses, ierror, &
      at) &
      bind(c, name="costate_mpi_waitsome_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, outcount, indices, statuses, ierror
      !DIR$ IGNORE_TKR count, requests, outcount, indices, statuses, ierror
      type(*), dimension(*) :: requests, outcount, indices, statuses
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_test_d(request, flag, status, ierror, at) &
      bind(c, name="costate_mpi_test_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, flag, status, ierror
      !DIR$ IGNORE_TKR request, flag, status, ierror
      type(*), dimension(*) :: request, flag, status
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_test_fwd(request, flag, status, ierror, at) &
      bind(c, name="costate_mpi_test_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, flag, status, ierror
      !DIR$ IGNORE_TKR request, flag, status, ierror
      type(*), dimension(*) :: request, flag, status
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_test_b(request, flag, status, ierror, at) &
      bind(c, name="costate_mpi_test_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, flag, status, ierror
      !DIR$ IGNORE_TKR request, flag, status, ierror
      type(*), dimension(*) :: request, flag, status
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_testall_d(count, requests, flag, statuses, ierror, &
      at) &
      bind(c, name="costate_mpi_testall_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, flag, statuses, ierror
      !DIR$ IGNORE_TKR count, requests, flag, statuses, ierror
      type(*), dimension(*) :: requests, flag, statuses
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_testall_fwd(count, requests, flag, statuses, ierror, &
      at) &
      bind(c, name="costate_mpi_testall_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, flag, statuses, ierror
      !DIR$ IGNORE_TKR count, requests, flag, statuses, ierror
      type(*), dimension(*) :: requests, flag, statuses
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_testall_b(count, requests, flag, statuses, ierror, &
      at) &
      bind(c, name="costate_mpi_testall_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, flag, statuses, ierror
      !DIR$ IGNORE_TKR count, requests, flag, statuses, ierror
      type(*), dimension(*) :: requests, flag, statuses
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_testany_d(count, requests, index, flag, status, ierror, &
      at) &
      bind(c, name="costate_mpi_testany_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, index, flag, status, ierror
      !DIR$ IGNORE_TKR count, requests, index, flag, status, ierror
      type(*), dimension(*) :: requests, index, flag, status
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_testany_fwd(count, requests, index, flag, status, ierror, &
      at) &
      bind(c, name="costate_mpi_testany_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, index, flag, status, ierror
      !DIR$ IGNORE_TKR count, requests, index, flag, status, ierror
      type(*), dimension(*) :: requests, index, flag, status
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_testany_b(count, requests, index, flag, status, ierror, &
      at) &
      bind(c, name="costate_mpi_testany_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, index, flag, status, ierror
      !DIR$ IGNORE_TKR count, requests, index, flag, status, ierror
      type(*), dimension(*) :: requests, index, flag, status
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_testsome_d(count, requests, outcount, indices, statuses, ierror, &
      at) &
      bind(c, name="costate_mpi_testsome_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, outcount, indices, statuses, ierror
      !DIR$ IGNORE_TKR count, requests, outcount, indices, statuses, ierror
      type(*), dimension(*) :: requests, outcount, indices, statuses
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_testsome_fwd(count, requests, outcount, indices, statuses, ierror, &
      at) &
      bind(c, name="costate_mpi_testsome_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, outcount, indices, statuses, ierror
      !DIR$ IGNORE_TKR count, requests, outcount, indices, statuses, ierror
      type(*), dimension(*) :: requests, outcount, indices, statuses
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_testsome_b(count, requests, outcount, indices, statuses, ierror, &
      at) &
      bind(c, name="costate_mpi_testsome_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: count, requests, outcount, indices, statuses, ierror
      !DIR$ IGNORE_TKR count, requests, outcount, indices, statuses, ierror
      type(*), dimension(*) :: requests, outcount, indices, statuses
      type(*), dimension(*), intent(in) :: count
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_comm_free_d(comm, ierror, at) &
      bind(c, name="costate_mpi_comm_free_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_comm_free_fwd(comm, ierror, at) &
      bind(c, name="costate_mpi_comm_free_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_comm_free_b(comm, ierror, at) &
      bind(c, name="costate_mpi_comm_free_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_type_free_d(datatype, ierror, at) &
      bind(c, name="costate_mpi_type_free_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: datatype, ierror
      !DIR$ IGNORE_TKR datatype, ierror
      type(*), dimension(*) :: datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_type_free_fwd(datatype, ierror, at) &
      bind(c, name="costate_mpi_type_free_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: datatype, ierror
      !DIR$ IGNORE_TKR datatype, ierror
      type(*), dimension(*) :: datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_type_free_b(datatype, ierror, at) &
      bind(c, name="costate_mpi_type_free_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: datatype, ierror
      !DIR$ IGNORE_TKR datatype, ierror
      type(*), dimension(*) :: datatype
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bcast_d(buffer, buffer_d, count, datatype, root, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_bcast_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer, buffer_d, count, datatype, root, comm, ierror
      !DIR$ IGNORE_TKR buffer, buffer_d, count, datatype, root, comm, ierror
      type(*), dimension(*) :: buffer, buffer_d
      type(*), dimension(*), intent(in) :: count, datatype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bcast_fwd(buffer, count, datatype, root, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_bcast_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer, count, datatype, root, comm, ierror
      !DIR$ IGNORE_TKR buffer, count, datatype, root, comm, ierror
      type(*), dimension(*) :: buffer
      type(*), dimension(*), intent(in) :: count, datatype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_bcast_b(buffer, buffer_b, count, datatype, root, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_bcast_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer, buffer_b, count, datatype, root, comm, ierror
      !DIR$ IGNORE_TKR buffer, buffer_b, count, datatype, root, comm, ierror
      type(*), dimension(*) :: buffer, buffer_b
      type(*), dimension(*), intent(in) :: count, datatype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_d(sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, root, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_reduce_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, root
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: count, datatype, op, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_fwd(sendbuf, recvbuf, count, datatype, op, root, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_reduce_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, count, datatype, op, root, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, count, datatype, op, root, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: count, datatype, op, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_b(sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, root, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_reduce_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, root
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: count, datatype, op, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_in_place_d(sendbuf, recvbuf, recvbuf_d, count, datatype, op, root, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_reduce_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_d, count, datatype, op, root, comm
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_d, count, datatype, op, root, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: count, datatype, op, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_in_place_fwd(sendbuf, recvbuf, count, datatype, op, root, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_reduce_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, count, datatype, op, root, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, count, datatype, op, root, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: count, datatype, op, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_in_place_b(sendbuf, recvbuf, recvbuf_b, count, datatype, op, root, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_reduce_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_b, count, datatype, op, root, comm
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_b, count, datatype, op, root, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: count, datatype, op, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allreduce_d(sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_allreduce_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allreduce_fwd(sendbuf, recvbuf, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_allreduce_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, count, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, count, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allreduce_b(sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_allreduce_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allreduce_in_place_d(sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_allreduce_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allreduce_in_place_fwd(sendbuf, recvbuf, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_allreduce_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, count, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, count, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allreduce_in_place_b(sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_allreduce_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scan_d(sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_scan_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scan_fwd(sendbuf, recvbuf, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_scan_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, count, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, count, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scan_b(sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_scan_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scan_in_place_d(sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_scan_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scan_in_place_fwd(sendbuf, recvbuf, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_scan_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, count, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, count, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scan_in_place_b(sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_scan_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_exscan_d(sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_exscan_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_exscan_fwd(sendbuf, recvbuf, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_exscan_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, count, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, count, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_exscan_b(sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_exscan_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_exscan_in_place_d(sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_exscan_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_exscan_in_place_fwd(sendbuf, recvbuf, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_exscan_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, count, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, count, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_exscan_in_place_b(sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_exscan_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_scatter_d(sendbuf, sendbuf_d, recvbuf, recvbuf_d, recvcounts, datatype, op, comm, &
      ierror, at) &
      bind(c, name="costate_mpi_reduce_scatter_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, recvcounts, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, recvbuf, recvbuf_d, recvcounts, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: recvcounts, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_scatter_fwd(sendbuf, recvbuf, recvcounts, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_reduce_scatter_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvcounts, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvcounts, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: recvcounts, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_scatter_b(sendbuf, sendbuf_b, recvbuf, recvbuf_b, recvcounts, datatype, op, comm, &
      ierror, at) &
      bind(c, name="costate_mpi_reduce_scatter_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, recvcounts, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, recvbuf, recvbuf_b, recvcounts, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: recvcounts, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_scatter_in_place_d(sendbuf, recvbuf, recvbuf_d, recvcounts, datatype, op, comm, &
      ierror, at) &
      bind(c, name="costate_mpi_reduce_scatter_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_d, recvcounts, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_d, recvcounts, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: recvcounts, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_scatter_in_place_fwd(sendbuf, recvbuf, recvcounts, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_reduce_scatter_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvcounts, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvcounts, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: recvcounts, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_scatter_in_place_b(sendbuf, recvbuf, recvbuf_b, recvcounts, datatype, op, comm, &
      ierror, at) &
      bind(c, name="costate_mpi_reduce_scatter_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_b, recvcounts, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_b, recvcounts, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: recvcounts, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_scatter_block_d(sendbuf, sendbuf_d, recvbuf, recvbuf_d, recvcount, datatype, op, &
      comm, ierror, at) &
      bind(c, name="costate_mpi_reduce_scatter_block_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, recvcount, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, recvbuf, recvbuf_d, recvcount, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: recvcount, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_scatter_block_fwd(sendbuf, recvbuf, recvcount, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_reduce_scatter_block_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvcount, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvcount, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: recvcount, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_scatter_block_b(sendbuf, sendbuf_b, recvbuf, recvbuf_b, recvcount, datatype, op, &
      comm, ierror, at) &
      bind(c, name="costate_mpi_reduce_scatter_block_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, recvcount, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, recvbuf, recvbuf_b, recvcount, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: recvcount, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_scatter_block_in_place_d(sendbuf, recvbuf, recvbuf_d, recvcount, datatype, op, comm, &
      ierror, at) &
      bind(c, name="costate_mpi_reduce_scatter_block_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_d, recvcount, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_d, recvcount, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: recvcount, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_scatter_block_in_place_fwd(sendbuf, recvbuf, recvcount, datatype, op, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_reduce_scatter_block_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvcount, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvcount, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: recvcount, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_reduce_scatter_block_in_place_b(sendbuf, recvbuf, recvbuf_b, recvcount, datatype, op, comm, &
      ierror, at) &
      bind(c, name="costate_mpi_reduce_scatter_block_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_b, recvcount, datatype, op, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_b, recvcount, datatype, op, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: recvcount, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_gather_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, &
      root, comm, ierror, at) &
      bind(c, name="costate_mpi_gather_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, ierror
      !DIR$ IGNORE_TKR root, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_gather_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_gather_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_gather_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, &
      root, comm, ierror, at) &
      bind(c, name="costate_mpi_gather_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, ierror
      !DIR$ IGNORE_TKR root, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_gather_in_place_d(sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, &
      root, comm, ierror, at) &
      bind(c, name="costate_mpi_gather_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, root
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_gather_in_place_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, &
      ierror, at) &
      bind(c, name="costate_mpi_gather_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_gather_in_place_b(sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, &
      root, comm, ierror, at) &
      bind(c, name="costate_mpi_gather_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, root
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_gatherv_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs, &
      recvtype, root, comm, ierror, at) &
      bind(c, name="costate_mpi_gatherv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, root, comm, ierror
      !DIR$ IGNORE_TKR recvtype, root, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_gatherv_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, &
      ierror, at) &
      bind(c, name="costate_mpi_gatherv_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_gatherv_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs, &
      recvtype, root, comm, ierror, at) &
      bind(c, name="costate_mpi_gatherv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, root, comm, ierror
      !DIR$ IGNORE_TKR recvtype, root, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_gatherv_in_place_d(sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs, &
      recvtype, root, comm, ierror, at) &
      bind(c, name="costate_mpi_gatherv_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, ierror
      !DIR$ IGNORE_TKR root, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_gatherv_in_place_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, &
      root, comm, ierror, at) &
      bind(c, name="costate_mpi_gatherv_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_gatherv_in_place_b(sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs, &
      recvtype, root, comm, ierror, at) &
      bind(c, name="costate_mpi_gatherv_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, ierror
      !DIR$ IGNORE_TKR root, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scatter_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, &
      root, comm, ierror, at) &
      bind(c, name="costate_mpi_scatter_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, ierror
      !DIR$ IGNORE_TKR root, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scatter_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_scatter_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scatter_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, &
      root, comm, ierror, at) &
      bind(c, name="costate_mpi_scatter_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, ierror
      !DIR$ IGNORE_TKR root, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scatter_in_place_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvcount, recvtype, &
      root, comm, ierror, at) &
      bind(c, name="costate_mpi_scatter_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvcount, recvtype, root
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvcount, recvtype, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scatter_in_place_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, &
      ierror, at) &
      bind(c, name="costate_mpi_scatter_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scatter_in_place_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvcount, recvtype, &
      root, comm, ierror, at) &
      bind(c, name="costate_mpi_scatter_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvcount, recvtype, root
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvcount, recvtype, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scatterv_d(sendbuf, sendbuf_d, sendcounts, displs, sendtype, recvbuf, recvbuf_d, recvcount, &
      recvtype, root, comm, ierror, at) &
      bind(c, name="costate_mpi_scatterv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcounts, displs, sendtype, recvbuf, recvbuf_d, recvcount
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcounts, displs, sendtype, recvbuf, recvbuf_d, recvcount
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, root, comm, ierror
      !DIR$ IGNORE_TKR recvtype, root, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcounts, displs, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scatterv_fwd(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, &
      comm, ierror, at) &
      bind(c, name="costate_mpi_scatterv_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root
      !DIR$ IGNORE_TKR sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcounts, displs, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scatterv_b(sendbuf, sendbuf_b, sendcounts, displs, sendtype, recvbuf, recvbuf_b, recvcount, &
      recvtype, root, comm, ierror, at) &
      bind(c, name="costate_mpi_scatterv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcounts, displs, sendtype, recvbuf, recvbuf_b, recvcount
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcounts, displs, sendtype, recvbuf, recvbuf_b, recvcount
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, root, comm, ierror
      !DIR$ IGNORE_TKR recvtype, root, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcounts, displs, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scatterv_in_place_d(sendbuf, sendbuf_d, sendcounts, displs, sendtype, recvbuf, recvcount, &
      recvtype, root, comm, ierror, at) &
      bind(c, name="costate_mpi_scatterv_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, ierror
      !DIR$ IGNORE_TKR root, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf
      type(*), dimension(*), intent(in) :: sendcounts, displs, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scatterv_in_place_fwd(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, &
      root, comm, ierror, at) &
      bind(c, name="costate_mpi_scatterv_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root
      !DIR$ IGNORE_TKR sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcounts, displs, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_scatterv_in_place_b(sendbuf, sendbuf_b, sendcounts, displs, sendtype, recvbuf, recvcount, &
      recvtype, root, comm, ierror, at) &
      bind(c, name="costate_mpi_scatterv_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, ierror
      !DIR$ IGNORE_TKR root, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf
      type(*), dimension(*), intent(in) :: sendcounts, displs, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allgather_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, &
      recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_allgather_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allgather_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_allgather_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allgather_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, &
      recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_allgather_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allgather_in_place_d(sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, &
      comm, ierror, at) &
      bind(c, name="costate_mpi_allgather_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allgather_in_place_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
      ierror, at) &
      bind(c, name="costate_mpi_allgather_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allgather_in_place_b(sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, &
      comm, ierror, at) &
      bind(c, name="costate_mpi_allgather_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allgatherv_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, &
      displs, recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_allgatherv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, comm, ierror
      !DIR$ IGNORE_TKR recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allgatherv_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, &
      ierror, at) &
      bind(c, name="costate_mpi_allgatherv_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allgatherv_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, &
      displs, recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_allgatherv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, comm, ierror
      !DIR$ IGNORE_TKR recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allgatherv_in_place_d(sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs, &
      recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_allgatherv_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allgatherv_in_place_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, &
      comm, ierror, at) &
      bind(c, name="costate_mpi_allgatherv_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_allgatherv_in_place_b(sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs, &
      recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_allgatherv_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoall_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, &
      comm, ierror, at) &
      bind(c, name="costate_mpi_alltoall_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoall_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror, &
      at) &
      bind(c, name="costate_mpi_alltoall_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoall_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, &
      comm, ierror, at) &
      bind(c, name="costate_mpi_alltoall_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoall_in_place_d(sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, &
      comm, ierror, at) &
      bind(c, name="costate_mpi_alltoall_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoall_in_place_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
      ierror, at) &
      bind(c, name="costate_mpi_alltoall_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoall_in_place_b(sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, &
      comm, ierror, at) &
      bind(c, name="costate_mpi_alltoall_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoallv_d(sendbuf, sendbuf_d, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, &
      recvcounts, rdispls, recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_alltoallv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, recvcounts
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, recvcounts
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: rdispls, recvtype, comm, ierror
      !DIR$ IGNORE_TKR rdispls, recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoallv_fwd(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, &
      recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_alltoallv_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoallv_b(sendbuf, sendbuf_b, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, &
      recvcounts, rdispls, recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_alltoallv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, recvcounts
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, recvcounts
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: rdispls, recvtype, comm, ierror
      !DIR$ IGNORE_TKR rdispls, recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoallv_in_place_d(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, recvcounts, &
      rdispls, recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_alltoallv_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, recvcounts, rdispls
      !DIR$ IGNORE_TKR sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, recvcounts, rdispls
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, comm, ierror
      !DIR$ IGNORE_TKR recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoallv_in_place_fwd(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, &
      recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_alltoallv_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoallv_in_place_b(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, recvcounts, &
      rdispls, recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_alltoallv_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, recvcounts, rdispls
      !DIR$ IGNORE_TKR sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, recvcounts, rdispls
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, comm, ierror
      !DIR$ IGNORE_TKR recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ibcast_d(buffer, buffer_d, count, datatype, root, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ibcast_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer, buffer_d, count, datatype, root, comm, request, ierror
      !DIR$ IGNORE_TKR buffer, buffer_d, count, datatype, root, comm, request, ierror
      type(*), dimension(*) :: buffer, buffer_d, request
      type(*), dimension(*), intent(in) :: count, datatype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ibcast_b(buffer, buffer_b, count, datatype, root, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ibcast_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer, buffer_b, count, datatype, root, comm, request, ierror
      !DIR$ IGNORE_TKR buffer, buffer_b, count, datatype, root, comm, request, ierror
      type(*), dimension(*) :: buffer, buffer_b, request
      type(*), dimension(*), intent(in) :: count, datatype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ireduce_d(sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, root, comm, request, &
      ierror, at) &
      bind(c, name="costate_mpi_ireduce_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, root
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: count, datatype, op, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ireduce_b(sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, root, comm, request, &
      ierror, at) &
      bind(c, name="costate_mpi_ireduce_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, root
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: count, datatype, op, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ireduce_in_place_d(sendbuf, recvbuf, recvbuf_d, count, datatype, op, root, comm, request, &
      ierror, at) &
      bind(c, name="costate_mpi_ireduce_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_d, count, datatype, op, root, comm
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_d, count, datatype, op, root, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: count, datatype, op, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ireduce_in_place_b(sendbuf, recvbuf, recvbuf_b, count, datatype, op, root, comm, request, &
      ierror, at) &
      bind(c, name="costate_mpi_ireduce_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_b, count, datatype, op, root, comm
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_b, count, datatype, op, root, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: count, datatype, op, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iallreduce_d(sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm, request, &
      ierror, at) &
      bind(c, name="costate_mpi_iallreduce_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iallreduce_b(sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm, request, &
      ierror, at) &
      bind(c, name="costate_mpi_iallreduce_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iallreduce_in_place_d(sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, request, &
      ierror, at) &
      bind(c, name="costate_mpi_iallreduce_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, request
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iallreduce_in_place_b(sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, request, &
      ierror, at) &
      bind(c, name="costate_mpi_iallreduce_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, request
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iscan_d(sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_iscan_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iscan_b(sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_iscan_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iscan_in_place_d(sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_iscan_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, request
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iscan_in_place_b(sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_iscan_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, request
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iexscan_d(sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm, request, &
      ierror, at) &
      bind(c, name="costate_mpi_iexscan_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, recvbuf, recvbuf_d, count, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iexscan_b(sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm, request, &
      ierror, at) &
      bind(c, name="costate_mpi_iexscan_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, recvbuf, recvbuf_b, count, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iexscan_in_place_d(sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_iexscan_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, request
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_d, count, datatype, op, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iexscan_in_place_b(sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_iexscan_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, request
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_b, count, datatype, op, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: count, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ireduce_scatter_d(sendbuf, sendbuf_d, recvbuf, recvbuf_d, recvcounts, datatype, op, comm, &
      request, ierror, at) &
      bind(c, name="costate_mpi_ireduce_scatter_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, recvcounts, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, recvbuf, recvbuf_d, recvcounts, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: recvcounts, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ireduce_scatter_b(sendbuf, sendbuf_b, recvbuf, recvbuf_b, recvcounts, datatype, op, comm, &
      request, ierror, at) &
      bind(c, name="costate_mpi_ireduce_scatter_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, recvcounts, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, recvbuf, recvbuf_b, recvcounts, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: recvcounts, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ireduce_scatter_in_place_d(sendbuf, recvbuf, recvbuf_d, recvcounts, datatype, op, comm, &
      request, ierror, at) &
      bind(c, name="costate_mpi_ireduce_scatter_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_d, recvcounts, datatype, op, comm, request
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_d, recvcounts, datatype, op, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: recvcounts, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ireduce_scatter_in_place_b(sendbuf, recvbuf, recvbuf_b, recvcounts, datatype, op, comm, &
      request, ierror, at) &
      bind(c, name="costate_mpi_ireduce_scatter_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_b, recvcounts, datatype, op, comm, request
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_b, recvcounts, datatype, op, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: recvcounts, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ireduce_scatter_block_d(sendbuf, sendbuf_d, recvbuf, recvbuf_d, recvcount, datatype, op, &
      comm, request, ierror, at) &
      bind(c, name="costate_mpi_ireduce_scatter_block_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, recvcount, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, recvbuf, recvbuf_d, recvcount, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: recvcount, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ireduce_scatter_block_b(sendbuf, sendbuf_b, recvbuf, recvbuf_b, recvcount, datatype, op, &
      comm, request, ierror, at) &
      bind(c, name="costate_mpi_ireduce_scatter_block_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, recvcount, datatype, op, comm
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, recvbuf, recvbuf_b, recvcount, datatype, op, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: recvcount, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ireduce_scatter_block_in_place_d(sendbuf, recvbuf, recvbuf_d, recvcount, datatype, op, comm, &
      request, ierror, at) &
      bind(c, name="costate_mpi_ireduce_scatter_block_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_d, recvcount, datatype, op, comm, request
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_d, recvcount, datatype, op, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: recvcount, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ireduce_scatter_block_in_place_b(sendbuf, recvbuf, recvbuf_b, recvcount, datatype, op, comm, &
      request, ierror, at) &
      bind(c, name="costate_mpi_ireduce_scatter_block_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf, recvbuf_b, recvcount, datatype, op, comm, request
      !DIR$ IGNORE_TKR sendbuf, recvbuf, recvbuf_b, recvcount, datatype, op, comm, request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: recvcount, datatype, op, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_igather_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, &
      root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_igather_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, request, ierror
      !DIR$ IGNORE_TKR root, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_igather_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, &
      root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_igather_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, request, ierror
      !DIR$ IGNORE_TKR root, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_igather_in_place_d(sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, &
      root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_igather_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, root
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_igather_in_place_b(sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, &
      root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_igather_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, root
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_igatherv_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs, &
      recvtype, root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_igatherv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, root, comm, request, ierror
      !DIR$ IGNORE_TKR recvtype, root, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_igatherv_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs, &
      recvtype, root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_igatherv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, root, comm, request, ierror
      !DIR$ IGNORE_TKR recvtype, root, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_igatherv_in_place_d(sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs, &
      recvtype, root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_igatherv_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, request, ierror
      !DIR$ IGNORE_TKR root, comm, request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_igatherv_in_place_b(sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs, &
      recvtype, root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_igatherv_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, request, ierror
      !DIR$ IGNORE_TKR root, comm, request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iscatter_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, &
      root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_iscatter_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, request, ierror
      !DIR$ IGNORE_TKR root, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iscatter_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, &
      root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_iscatter_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, request, ierror
      !DIR$ IGNORE_TKR root, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iscatter_in_place_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvcount, recvtype, &
      root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_iscatter_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvcount, recvtype, root
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvcount, recvtype, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iscatter_in_place_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvcount, recvtype, &
      root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_iscatter_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvcount, recvtype, root
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvcount, recvtype, root
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iscatterv_d(sendbuf, sendbuf_d, sendcounts, displs, sendtype, recvbuf, recvbuf_d, recvcount, &
      recvtype, root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_iscatterv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcounts, displs, sendtype, recvbuf, recvbuf_d, recvcount
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcounts, displs, sendtype, recvbuf, recvbuf_d, recvcount
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, root, comm, request, ierror
      !DIR$ IGNORE_TKR recvtype, root, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcounts, displs, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iscatterv_b(sendbuf, sendbuf_b, sendcounts, displs, sendtype, recvbuf, recvbuf_b, recvcount, &
      recvtype, root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_iscatterv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcounts, displs, sendtype, recvbuf, recvbuf_b, recvcount
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcounts, displs, sendtype, recvbuf, recvbuf_b, recvcount
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, root, comm, request, ierror
      !DIR$ IGNORE_TKR recvtype, root, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcounts, displs, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iscatterv_in_place_d(sendbuf, sendbuf_d, sendcounts, displs, sendtype, recvbuf, recvcount, &
      recvtype, root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_iscatterv_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, request, ierror
      !DIR$ IGNORE_TKR root, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, request
      type(*), dimension(*), intent(in) :: sendcounts, displs, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iscatterv_in_place_b(sendbuf, sendbuf_b, sendcounts, displs, sendtype, recvbuf, recvcount, &
      recvtype, root, comm, request, ierror, at) &
      bind(c, name="costate_mpi_iscatterv_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: root, comm, request, ierror
      !DIR$ IGNORE_TKR root, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, request
      type(*), dimension(*), intent(in) :: sendcounts, displs, sendtype, recvcount, recvtype, root, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iallgather_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, &
      recvtype, comm, request, ierror, at) &
      bind(c, name="costate_mpi_iallgather_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iallgather_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, &
      recvtype, comm, request, ierror, at) &
      bind(c, name="costate_mpi_iallgather_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iallgather_in_place_d(sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, &
      comm, request, ierror, at) &
      bind(c, name="costate_mpi_iallgather_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iallgather_in_place_b(sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, &
      comm, request, ierror, at) &
      bind(c, name="costate_mpi_iallgather_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iallgatherv_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, &
      displs, recvtype, comm, request, ierror, at) &
      bind(c, name="costate_mpi_iallgatherv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, comm, request, ierror
      !DIR$ IGNORE_TKR recvtype, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iallgatherv_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, &
      displs, recvtype, comm, request, ierror, at) &
      bind(c, name="costate_mpi_iallgatherv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, comm, request, ierror
      !DIR$ IGNORE_TKR recvtype, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iallgatherv_in_place_d(sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs, &
      recvtype, comm, request, ierror, at) &
      bind(c, name="costate_mpi_iallgatherv_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_iallgatherv_in_place_b(sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs, &
      recvtype, comm, request, ierror, at) &
      bind(c, name="costate_mpi_iallgatherv_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ialltoall_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, &
      recvtype, comm, request, ierror, at) &
      bind(c, name="costate_mpi_ialltoall_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ialltoall_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, &
      recvtype, comm, request, ierror, at) &
      bind(c, name="costate_mpi_ialltoall_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ialltoall_in_place_d(sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, &
      comm, request, ierror, at) &
      bind(c, name="costate_mpi_ialltoall_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ialltoall_in_place_b(sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, &
      comm, request, ierror, at) &
      bind(c, name="costate_mpi_ialltoall_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: request, ierror
      !DIR$ IGNORE_TKR request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ialltoallv_d(sendbuf, sendbuf_d, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, &
      recvcounts, rdispls, recvtype, comm, request, ierror, at) &
      bind(c, name="costate_mpi_ialltoallv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, recvcounts
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, recvcounts
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: rdispls, recvtype, comm, request, ierror
      !DIR$ IGNORE_TKR rdispls, recvtype, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ialltoallv_b(sendbuf, sendbuf_b, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, &
      recvcounts, rdispls, recvtype, comm, request, ierror, at) &
      bind(c, name="costate_mpi_ialltoallv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, recvcounts
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, recvcounts
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: rdispls, recvtype, comm, request, ierror
      !DIR$ IGNORE_TKR rdispls, recvtype, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ialltoallv_in_place_d(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, &
      recvcounts, rdispls, recvtype, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ialltoallv_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, recvcounts, rdispls
      !DIR$ IGNORE_TKR sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, recvcounts, rdispls
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, comm, request, ierror
      !DIR$ IGNORE_TKR recvtype, comm, request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ialltoallv_in_place_b(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, &
      recvcounts, rdispls, recvtype, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ialltoallv_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, recvcounts, rdispls
      !DIR$ IGNORE_TKR sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, recvcounts, rdispls
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, comm, request, ierror
      !DIR$ IGNORE_TKR recvtype, comm, request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ialltoallw_d(sendbuf, sendbuf_d, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_d, &
      recvcounts, rdispls, recvtypes, comm, request, ierror, at) &
      bind(c, name="costate_mpi_ialltoallw_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_d, recvcounts
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_d, recvcounts
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: rdispls, recvtypes, comm, request, ierror
      !DIR$ IGNORE_TKR rdispls, recvtypes, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtypes, recvcounts, rdispls, recvtypes, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ialltoallw_b(sendbuf, sendbuf_b, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_b, &
      recvcounts, rdispls, recvtypes, comm, request, ierror, at) &
      bind(c, name="costate_mpi_ialltoallw_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_b, recvcounts
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_b, recvcounts
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: rdispls, recvtypes, comm, request, ierror
      !DIR$ IGNORE_TKR rdispls, recvtypes, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtypes, recvcounts, rdispls, recvtypes, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ialltoallw_in_place_d(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_d, &
      recvcounts, rdispls, recvtypes, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ialltoallw_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_d, recvcounts, rdispls
      !DIR$ IGNORE_TKR sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_d, recvcounts, rdispls
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtypes, comm, request, ierror
      !DIR$ IGNORE_TKR recvtypes, comm, request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtypes, recvcounts, rdispls, recvtypes, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ialltoallw_in_place_b(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_b, &
      recvcounts, rdispls, recvtypes, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ialltoallw_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_b, recvcounts, rdispls
      !DIR$ IGNORE_TKR sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_b, recvcounts, rdispls
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtypes, comm, request, ierror
      !DIR$ IGNORE_TKR recvtypes, comm, request, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtypes, recvcounts, rdispls, recvtypes, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoallw_d(sendbuf, sendbuf_d, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_d, &
      recvcounts, rdispls, recvtypes, comm, ierror, at) &
      bind(c, name="costate_mpi_alltoallw_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_d, recvcounts
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_d, recvcounts
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: rdispls, recvtypes, comm, ierror
      !DIR$ IGNORE_TKR rdispls, recvtypes, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtypes, recvcounts, rdispls, recvtypes, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoallw_fwd(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, &
      recvtypes, comm, ierror, at) &
      bind(c, name="costate_mpi_alltoallw_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes
      !DIR$ IGNORE_TKR sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtypes, recvcounts, rdispls, recvtypes, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoallw_b(sendbuf, sendbuf_b, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_b, &
      recvcounts, rdispls, recvtypes, comm, ierror, at) &
      bind(c, name="costate_mpi_alltoallw_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_b, recvcounts
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_b, recvcounts
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: rdispls, recvtypes, comm, ierror
      !DIR$ IGNORE_TKR rdispls, recvtypes, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtypes, recvcounts, rdispls, recvtypes, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoallw_in_place_d(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_d, &
      recvcounts, rdispls, recvtypes, comm, ierror, at) &
      bind(c, name="costate_mpi_alltoallw_in_place_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_d, recvcounts, rdispls
      !DIR$ IGNORE_TKR sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_d, recvcounts, rdispls
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtypes, comm, ierror
      !DIR$ IGNORE_TKR recvtypes, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtypes, recvcounts, rdispls, recvtypes, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoallw_in_place_fwd(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
      rdispls, recvtypes, comm, ierror, at) &
      bind(c, name="costate_mpi_alltoallw_in_place_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes
      !DIR$ IGNORE_TKR sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtypes, recvcounts, rdispls, recvtypes, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_alltoallw_in_place_b(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_b, &
      recvcounts, rdispls, recvtypes, comm, ierror, at) &
      bind(c, name="costate_mpi_alltoallw_in_place_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_b, recvcounts, rdispls
      !DIR$ IGNORE_TKR sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvbuf_b, recvcounts, rdispls
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtypes, comm, ierror
      !DIR$ IGNORE_TKR recvtypes, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtypes, recvcounts, rdispls, recvtypes, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_neighbor_allgather_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, &
      recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_neighbor_allgather_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_neighbor_allgather_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
      ierror, at) &
      bind(c, name="costate_mpi_neighbor_allgather_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_neighbor_allgather_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, &
      recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_neighbor_allgather_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_neighbor_allgatherv_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, &
      recvcounts, displs, recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_neighbor_allgatherv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, comm, ierror
      !DIR$ IGNORE_TKR recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_neighbor_allgatherv_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, &
      comm, ierror, at) &
      bind(c, name="costate_mpi_neighbor_allgatherv_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: ierror
      !DIR$ IGNORE_TKR ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_neighbor_allgatherv_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, &
      recvcounts, displs, recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_neighbor_allgatherv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, comm, ierror
      !DIR$ IGNORE_TKR recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_neighbor_alltoall_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, &
      recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_neighbor_alltoall_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_neighbor_alltoall_fwd(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
      ierror, at) &
      bind(c, name="costate_mpi_neighbor_alltoall_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror
      !DIR$ IGNORE_TKR sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_neighbor_alltoall_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, &
      recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_neighbor_alltoall_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_neighbor_alltoallv_d(sendbuf, sendbuf_d, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, &
      recvcounts, rdispls, recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_neighbor_alltoallv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, recvcounts
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, recvcounts
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: rdispls, recvtype, comm, ierror
      !DIR$ IGNORE_TKR rdispls, recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_neighbor_alltoallv_fwd(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, &
      recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_neighbor_alltoallv_fwd")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, ierror
      !DIR$ IGNORE_TKR comm, ierror
      type(*), dimension(*) :: sendbuf, recvbuf
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_neighbor_alltoallv_b(sendbuf, sendbuf_b, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, &
      recvcounts, rdispls, recvtype, comm, ierror, at) &
      bind(c, name="costate_mpi_neighbor_alltoallv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, recvcounts
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, recvcounts
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: rdispls, recvtype, comm, ierror
      !DIR$ IGNORE_TKR rdispls, recvtype, comm, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ineighbor_allgather_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, &
      recvcount, recvtype, comm, request, ierror, at) &
      bind(c, name="costate_mpi_ineighbor_allgather_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ineighbor_allgather_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, &
      recvcount, recvtype, comm, request, ierror, at) &
      bind(c, name="costate_mpi_ineighbor_allgather_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ineighbor_allgatherv_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, &
      recvcounts, displs, recvtype, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ineighbor_allgatherv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcounts, displs
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, comm, request, ierror
      !DIR$ IGNORE_TKR recvtype, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ineighbor_allgatherv_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, &
      recvcounts, displs, recvtype, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ineighbor_allgatherv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcounts, displs
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvtype, comm, request, ierror
      !DIR$ IGNORE_TKR recvtype, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcounts, displs, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ineighbor_alltoall_d(sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, &
      recvtype, comm, request, ierror, at) &
      bind(c, name="costate_mpi_ineighbor_alltoall_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcount, sendtype, recvbuf, recvbuf_d, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ineighbor_alltoall_b(sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, &
      recvtype, comm, request, ierror, at) &
      bind(c, name="costate_mpi_ineighbor_alltoall_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcount, sendtype, recvbuf, recvbuf_b, recvcount, recvtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: comm, request, ierror
      !DIR$ IGNORE_TKR comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ineighbor_alltoallv_d(sendbuf, sendbuf_d, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, &
      recvcounts, rdispls, recvtype, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ineighbor_alltoallv_d")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_d, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, recvcounts
      !DIR$ IGNORE_TKR sendbuf, sendbuf_d, sendcounts, sdispls, sendtype, recvbuf, recvbuf_d, recvcounts
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: rdispls, recvtype, comm, request, ierror
      !DIR$ IGNORE_TKR rdispls, recvtype, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_d, recvbuf, recvbuf_d, request
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
    subroutine costate_mpi_ineighbor_alltoallv_b(sendbuf, sendbuf_b, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, &
      recvcounts, rdispls, recvtype, comm, request, ierror, &
      at) &
      bind(c, name="costate_mpi_ineighbor_alltoallv_b")
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, sendbuf_b, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, recvcounts
      !DIR$ IGNORE_TKR sendbuf, sendbuf_b, sendcounts, sdispls, sendtype, recvbuf, recvbuf_b, recvcounts
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: rdispls, recvtype, comm, request, ierror
      !DIR$ IGNORE_TKR rdispls, recvtype, comm, request, ierror
      type(*), dimension(*) :: sendbuf, sendbuf_b, recvbuf, recvbuf_b, request
      type(*), dimension(*), intent(in) :: sendcounts, sdispls, sendtype, recvcounts, rdispls, recvtype, comm
      type(*), dimension(*), optional :: ierror
      character, dimension(*), intent(in), optional :: at
    end subroutine
  end interface
end module
