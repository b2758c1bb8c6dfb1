! The processes of MPI, on a communicator of the driver's own.
module driver_ranks
  use mpi
  implicit none
  integer, protected :: rank = 0
  integer, private :: comm, error
contains

  subroutine start_ranks()
    call mpi_init(error)
    call mpi_comm_dup(mpi_comm_world, comm, error)
    call mpi_comm_rank(comm, rank, error)
  end subroutine start_ranks

  subroutine end_ranks()
    call mpi_finalize(error)
  end subroutine end_ranks

  ! The largest number, as wrong as one that is none.
  real(8) function largest(a)
    real(8), intent(in) :: a(:)
    real(8) :: own
    own = maxval(a)
    if (any(a /= a)) own = huge(a)
    call mpi_allreduce(own, largest, 1, mpi_double_precision, mpi_max, comm, error)
  end function largest

  real(8) function total(a)
    real(8), intent(in) :: a(:)
    real(8) :: own
    own = sum(a)
    call mpi_allreduce(own, total, 1, mpi_double_precision, mpi_sum, comm, error)
  end function total

  logical function everywhere(l)
    logical, intent(in) :: l
    call mpi_allreduce(l, everywhere, 1, mpi_logical, mpi_land, comm, error)
  end function everywhere
end module driver_ranks
