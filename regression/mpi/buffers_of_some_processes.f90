! head: m::f(y)/(x)
! processes: 1 3
! Buffers that processes without a neighbour don't allocate.
module m
  use mpi
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8), allocatable, asynchronous :: below(:), above(:)
    integer :: me, processes, ierr, n, requests(2)
    call mpi_comm_rank(MPI_COMM_WORLD, me, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, processes, ierr)
    n = 0
    if (me > 0) then
      allocate (below(2))
      n = n + 1
      call mpi_irecv(below, 2, MPI_DOUBLE_PRECISION, me - 1, 1, MPI_COMM_WORLD, requests(n), ierr)
    end if
    if (me < processes - 1) then
      allocate (above(2))
      above = [x, x**2]
      n = n + 1
      call mpi_isend(above, 2, MPI_DOUBLE_PRECISION, me + 1, 1, MPI_COMM_WORLD, requests(n), ierr)
    end if
    call mpi_waitall(n, requests, MPI_STATUSES_IGNORE, ierr)
    y = x**2
    if (me > 0) y = y*below(1)*below(2)
  end subroutine f
end module m
