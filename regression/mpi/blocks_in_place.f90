! Blocks that the root of a scatter or gather, or every process, leaves where they are.
! head: m::f(y)/(x)
! size: n=4
! processes: 1 3
module m
  use mpi
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: b(n), all(3*n), counts(n)
    integer :: me, np, root, ierr
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    root = np/2
    b = x**2
    all = [x, 2*x, sin(x)]
    if (me == root) then
      call mpi_scatter(all, n, mpi_double_precision, mpi_in_place, n, mpi_double_precision, root, mpi_comm_world, ierr)
    else
      call mpi_scatter(all, n, mpi_double_precision, b, n, mpi_double_precision, root, mpi_comm_world, ierr)
    end if
    y = b*x
    all = all**2
    if (me == 0) then
      call mpi_gather(mpi_in_place, n, mpi_double_precision, all, n, mpi_double_precision, 0, mpi_comm_world, ierr)
    else
      call mpi_gather(b, n, mpi_double_precision, all, n, mpi_double_precision, 0, mpi_comm_world, ierr)
    end if
    counts = all(1:n) + all(n*(np-1)+1:n*np)
    y = y*counts
    all = sin(all)
    call mpi_allgather(mpi_in_place, 0, mpi_datatype_null, all, n, mpi_double_precision, mpi_comm_world, ierr)
    call mpi_alltoall(mpi_in_place, 0, mpi_double_precision, all, n, mpi_double_precision, mpi_comm_world, ierr)
    y = y + all(n*(np-1)+1:n*np)*x
  end subroutine f
end module m
