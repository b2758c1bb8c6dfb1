! A ring by mpi_sendrecv in an external procedure with mpif.h.
! head: f(y)/(x)
! size: n=4
! processes: 3
subroutine f(n, x, y)
  implicit none
  include 'mpif.h'
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  integer :: rank, np, ierr, to, from
  integer :: st(MPI_STATUS_SIZE)
  real(8) :: w(n)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, np, ierr)
  to = mod(rank + 1, np)
  from = mod(rank + np - 1, np)
  w = exp(0.1d0*x)
  call mpi_sendrecv(w, n, MPI_DOUBLE_PRECISION, to, 3, y, n, MPI_DOUBLE_PRECISION, from, 3, MPI_COMM_WORLD, st, ierr)
  y = y * w + x
end subroutine f
