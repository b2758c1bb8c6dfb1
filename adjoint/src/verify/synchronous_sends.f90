! In place of MPI's: a blocking send that waits for its receive, as it may. Where the order of messages goes well only because
! they are buffered, the processes wait for each other.
subroutine mpi_send(buf, count, datatype, dest, tag, comm, ierror)
  implicit none
  integer :: buf(*), count, datatype, dest, tag, comm, ierror
  external :: pmpi_ssend
  call pmpi_ssend(buf, count, datatype, dest, tag, comm, ierror)
end subroutine mpi_send

! What Open MPI's module mpi_f08 calls. Handles are integers, with another type's name.
subroutine mpi_send_f08(buf, count, datatype, dest, tag, comm, ierror)
  implicit none
  integer :: buf(*), count, datatype, dest, tag, comm, failure
  integer, optional :: ierror
  external :: pmpi_ssend
  call pmpi_ssend(buf, count, datatype, dest, tag, comm, failure)
  if (present(ierror)) ierror = failure
end subroutine mpi_send_f08
