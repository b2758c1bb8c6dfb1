! A time loop under a schedule, with neighbours and a maximum over all.
! head: m::f(y)/(x)
! size: n=3 steps=7
! processes: 1 3
module m
  use mpi
  implicit none
contains
  subroutine f(n, steps, x, y)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: u(0:n+1), v(n), big, own
    integer :: k, i, rank, np, ierr, l, r, st(MPI_STATUS_SIZE)
    call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, np, ierr)
    l = rank - 1
    r = rank + 1
    if (l < 0) l = MPI_PROC_NULL
    if (r == np) r = MPI_PROC_NULL
    u = 0
    u(1:n) = x
    !$ad checkpoint schedule(revolve) snapshots(3)
    do k = 1, steps
      call mpi_sendrecv(u(n), 1, MPI_DOUBLE_PRECISION, r, 1, u(0), 1, MPI_DOUBLE_PRECISION, l, 1, MPI_COMM_WORLD, st, ierr)
      call mpi_sendrecv(u(1), 1, MPI_DOUBLE_PRECISION, l, 2, u(n+1), 1, MPI_DOUBLE_PRECISION, r, 2, MPI_COMM_WORLD, st, ierr)
      own = maxval(abs(u(1:n)))
      call mpi_allreduce(own, big, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
      do i = 1, n
        v(i) = u(i) + 0.1d0*(u(i-1) - 2*u(i) + u(i+1))/(1 + big)
      end do
      u(1:n) = v
    end do
    y = u(1:n)
  end subroutine f
end module m
