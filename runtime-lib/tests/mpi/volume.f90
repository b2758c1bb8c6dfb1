! A backward sweep passes as many messages and bytes as the forward sweep.
program volume
  use mpi
  use costate_mpi
  implicit none
  integer, parameter :: m = 7, dp = mpi_double_precision
  real(kind(1d0)) :: x(0:m+1), x_b(0:m+1), all(m), all_b(m)
  integer :: rank, ranks, left, right, requests(4), ie, w, k
  integer(selected_int_kind(18)) :: before(4, 2), forward(4, 2), backward(4, 2)
  external counted
  call mpi_init(ie)
  w = mpi_comm_world
  call mpi_comm_rank(w, rank, ie)
  call mpi_comm_size(w, ranks, ie)
  left = modulo(rank - 1, ranks); right = modulo(rank + 1, ranks)
  x = rank; x_b = 1; all_b = 1
  call costate_mpi_begin_fwd()
  call counted(before)
  do k = 1, 3
    call costate_mpi_irecv_fwd(x(0), 1, dp, left, 1, w, requests(1), ie)
    call costate_mpi_irecv_fwd(x(m+1), 1, dp, right, 2, w, requests(2), ie)
    call costate_mpi_isend_fwd(x(m), 1, dp, right, 1, w, requests(3), ie)
    call costate_mpi_isend_fwd(x(1), 1, dp, left, 2, w, requests(4), ie)
    call costate_mpi_waitall_fwd(4, requests, mpi_statuses_ignore, ie)
    call costate_mpi_arrived_fwd(x, size(x))
    call mpi_allreduce(x(1), all, m, dp, mpi_sum, w, ie)
    call mpi_bcast(all, m, dp, 0, w, ie)
  end do
  call counted(forward)
  do k = 1, 3
    call costate_mpi_bcast_b(all, all_b, m, dp, 0, w, ie)
    call costate_mpi_allreduce_b(x(1), x_b(1), all, all_b, m, dp, mpi_sum, w, ie)
    call costate_mpi_arrived_b(x, x_b, size(x))
    call costate_mpi_waitall_b(4, requests, mpi_statuses_ignore, ie)
    call costate_mpi_isend_b(x(1), x_b(1), 1, dp, left, 2, w, requests(4), ie)
    call costate_mpi_isend_b(x(m), x_b(m), 1, dp, right, 1, w, requests(3), ie)
    call costate_mpi_irecv_b(x(m+1), x_b(m+1), 1, dp, right, 2, w, requests(2), ie)
    call costate_mpi_irecv_b(x(0), x_b(0), 1, dp, left, 1, w, requests(1), ie)
  end do
  call costate_mpi_begin_b()
  call counted(backward)
  backward = backward - forward
  forward = forward - before
  if (any(forward(:, 1) /= [6, 48, 6, 336]) .or. any(forward(:, 2) /= 0)) then
    print *, rank, 'forward: ', forward
  else if (any(backward(:, 1) /= 0) .or. any(backward(:, 2) /= forward(:, 1))) then
    print *, rank, 'backward: ', backward, 'forward:', forward
  else if (rank == 0) then
    print '(a)', 'passed'
  end if
  call mpi_finalize(ie)
end program
