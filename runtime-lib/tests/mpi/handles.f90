! Handles and statuses that are of types of their own, in the module mpi_f08.
program handles
  use mpi_f08
  use costate_mpi
  implicit none
  integer, parameter :: wp = kind(1d0)
  real(wp) :: x(10), x_d(10), y(10), y_d(10)
  integer :: rank, ranks, up, got, code
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status, statuses(2)
  call mpi_init()
  call mpi_comm_rank(mpi_comm_world, rank)
  call mpi_comm_size(mpi_comm_world, ranks)
  up = modulo(rank + 1, ranks)
  call random_number(x)
  x_d = rank; y = 0; y_d = 0
  call costate_mpi_begin_fwd()
  call costate_mpi_irecv_fwd(y, 10, mpi_double_precision, mpi_any_source, mpi_any_tag, mpi_comm_world, requests(1))
  call costate_mpi_isend_fwd(x, 5, mpi_double_precision, up, 9, mpi_comm_world, requests(2), code)
  call costate_mpi_waitall_fwd(2, requests, statuses)
  call costate_mpi_arrived_fwd(y, size(y))
  call mpi_get_count(statuses(1), mpi_double_precision, got)
  if (statuses(1)%mpi_source /= modulo(rank - 1, ranks) .or. statuses(1)%mpi_tag /= 9 .or. got /= 5) error stop 'wrong status'
  call costate_mpi_sendrecv_fwd(x, 3, mpi_double_precision, up, 2, y, 10, mpi_double_precision, mpi_any_source, 2, &
    mpi_comm_world, status)
  call mpi_get_count(status, mpi_double_precision, got)
  if (got /= 3) error stop 'wrong status'
  call costate_mpi_sendrecv_fwd(x, 3, mpi_double_precision, up, 2, y, 10, mpi_double_precision, mpi_any_source, 2, &
    mpi_comm_world, mpi_status_ignore)
  call costate_mpi_allreduce_in_place_d(mpi_in_place, x, x_d, 10, mpi_double_precision, mpi_sum, mpi_comm_world)
  if (any(x_d /= ranks*(ranks - 1)/2)) error stop 'wrong tangent'
  x_d = 0; y_d = 1
  call costate_mpi_sendrecv_b(x, x_d, 3, mpi_double_precision, up, 2, y, y_d, 10, mpi_double_precision, mpi_any_source, 2, &
    mpi_comm_world, mpi_status_ignore)
  call costate_mpi_sendrecv_b(x, x_d, 3, mpi_double_precision, up, 2, y, y_d, 10, mpi_double_precision, mpi_any_source, 2, &
    mpi_comm_world, status)
  call costate_mpi_arrived_b(y, y_d, size(y))
  call costate_mpi_waitall_b(2, requests, mpi_statuses_ignore)
  call costate_mpi_isend_b(x, x_d, 5, mpi_double_precision, up, 9, mpi_comm_world, requests(2), code)
  call costate_mpi_irecv_b(y, y_d, 10, mpi_double_precision, mpi_any_source, mpi_any_tag, mpi_comm_world, requests(1))
  call costate_mpi_begin_b()
  if (any(x_d(:5) /= 1) .or. any(x_d(6:) /= 0) .or. any(y_d(:5) /= 0) .or. any(y_d(6:) /= 1)) error stop 'wrong adjoint'
  call mpi_barrier(mpi_comm_world)
  if (rank == 0) print '(a)', 'passed'
  call mpi_finalize()
end program
