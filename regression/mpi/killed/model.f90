! A time loop with snapshots on disk, in whose course one of the processes is killed.
module m
  use mpi
  implicit none
contains
  subroutine f(n, steps, x, y)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: u(0:n+1)
    integer :: k, rank, np, ierr, st(mpi_status_size)
    call mpi_comm_rank(mpi_comm_world, rank, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    u = 0
    u(1:n) = x
    !$ad checkpoint schedule(multistage) snapshots(2, 3)
    do k = 1, steps
      call mpi_sendrecv(u(n), 1, mpi_double_precision, modulo(rank + 1, np), 1, u(0), 1, mpi_double_precision, &
        modulo(rank - 1, np), 1, mpi_comm_world, st, ierr)
      u(1:n) = u(1:n) + 0.1d0*u(0:n-1)**2
      call passed(rank)
    end do
    y = u(1:n)
  end subroutine
  subroutine passed(rank)
    integer, intent(in) :: rank
    integer, save :: times = 0
    times = times + 1
    if (rank == 1 .and. times == 15) call execute_command_line('kill -9 $PPID')
  end subroutine
end module
