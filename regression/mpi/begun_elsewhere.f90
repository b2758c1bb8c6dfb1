! Messages are begun and completed in different procedures, with requests of a module; the interior is computed between.
! head: m::f(y)/(x)
! size: n=5
! processes: 1 3
module halo
  use mpi
  implicit none
  integer :: req(4)
  integer :: left, right
contains
  subroutine begin_halo(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(0:n+1)
    integer :: ierr
    call mpi_irecv(u(0), 1, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, req(1), ierr)
    call mpi_irecv(u(n+1), 1, MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, req(2), ierr)
    call mpi_isend(u(n), 1, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, req(3), ierr)
    call mpi_isend(u(1), 1, MPI_DOUBLE_PRECISION, left, 2, MPI_COMM_WORLD, req(4), ierr)
  end subroutine begin_halo
  subroutine end_halo()
    integer :: ierr
    call mpi_waitall(4, req, MPI_STATUSES_IGNORE, ierr)
  end subroutine end_halo
end module halo
module m
  use halo
  implicit none
contains
  subroutine step(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(0:n+1)
    real(8) :: v(n)
    integer :: i
    call begin_halo(n, u)
    do i = 2, n - 1
      v(i) = u(i) + 0.1d0*(u(i-1) - 2*u(i) + u(i+1))*u(i)
    end do
    call end_halo()
    v(1) = u(1) + 0.1d0*(u(0) - 2*u(1) + u(2))*u(1)
    if (n > 1) v(n) = u(n) + 0.1d0*(u(n-1) - 2*u(n) + u(n+1))*u(n)
    u(1:n) = v
  end subroutine step
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: u(0:n+1)
    integer :: k, rank, np, ierr
    call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, np, ierr)
    left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    right = merge(rank + 1, MPI_PROC_NULL, rank < np - 1)
    u = 0.3d0
    u(1:n) = x
    do k = 1, 3
      call step(n, u)
    end do
    y = u(1:n)
  end subroutine f
end module m
