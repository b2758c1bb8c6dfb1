! The last process waits for the others, which compute a derivative and say whether it is right.
program main
  use mpi
  use m, only: comm
  use m_b, only: f_b
  use costate_mpi, only: costate_mpi_world
  implicit none
  real(8) :: x, x_b, y, y_b, beside(2)
  integer :: me, processes, ierr, done
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, me, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, processes, ierr)
  ! Ranks of the part are in another order than those of all.
  call mpi_comm_split(MPI_COMM_WORLD, merge(1, 0, me < processes - 1), -me, comm, ierr)
  if (me == processes - 1) then
    call mpi_recv(done, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  else
    call costate_mpi_world(comm)
    x = 1 + 0.5d0*me
    x_b = 0
    y_b = 1
    call f_b(x, x_b, y, y_b)
    ! With two processes, each beside the other one: y = x(0)*x(1)**2 + x(1)*x(0)**2, whose weights add up to those of both.
    beside = [1d0, 1.5d0]
    if (me == 1) beside = beside(2:1:-1)
    done = merge(0, 1, abs(x_b - 2*(beside(2)**2 + 2*beside(1)*beside(2))) < 1d-12)
    if (done /= 0) print '(a, 2es24.16)', 'wrong derivative', x_b, 2*(beside(2)**2 + 2*beside(1)*beside(2))
    if (done == 0) print '(a)', 'right derivative'
    if (me == 0) call mpi_send(done, 1, MPI_INTEGER, processes - 1, 7, MPI_COMM_WORLD, ierr)
  end if
  call mpi_finalize(ierr)
end program main
