! gatherv, scatter, allgather, scan and reduce_scatter_block one after the other.
! head: m::f(y)/(x)
! size: n=3
! processes: 1 3
module m
  use mpi
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: rank, np, ierr, i
    integer, allocatable :: counts(:), displs(:)
    real(8), allocatable :: all(:), part(:), one(:)
    real(8) :: s, t, b(n)
    call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, np, ierr)
    allocate(counts(np), displs(np), all(n*np), part(n), one(np))
    counts = [(max(0, min(n, i)), i = 1, np)]
    displs(1) = 0
    do i = 2, np
      displs(i) = displs(i-1) + counts(i-1)
    end do
    all = 0.1d0
    call mpi_gatherv(x, counts(rank+1), MPI_DOUBLE_PRECISION, all, counts, displs, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    all = all**2
    part = x
    call mpi_scatter(all, n, MPI_DOUBLE_PRECISION, part, n, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    b = sin(part) + x
    call mpi_allgather(b, n, MPI_DOUBLE_PRECISION, all, n, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
    s = 0
    do i = 1, n*np
      s = s + all(i)**3 * 0.01d0 * i
    end do
    call mpi_scan(s, t, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    y = t * x
    call mpi_reduce_scatter_block(all, part, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
    y = y + part
  end subroutine f
end module m
