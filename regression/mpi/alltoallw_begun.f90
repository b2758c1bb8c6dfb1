! A transposition of a matrix that processes have columns of, with a datatype for each process; and back, without waiting. (Open MPI 4.1
! frees the datatypes too early.)
! head: m::f(y)/(x)
! size: n=3
! processes: 2
! only: mpich
module m
  use mpi
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable :: columns(:, :), rows(:, :)
    integer, allocatable :: ones(:), starts(:), none(:), tall(:), wide(:)
    integer :: np, ierr, k, tile, request
    call mpi_comm_size(mpi_comm_world, np, ierr)
    allocate(columns(np, n), rows(n, np), ones(np), starts(np), none(np), tall(np), wide(np))
    ones = 1; none = 0
    do k = 1, np
      columns(k, :) = k*x**2
      starts(k) = 8*n*(k - 1)
      call mpi_type_create_subarray(2, [np, n], [1, n], [k - 1, 0], mpi_order_fortran, mpi_double_precision, tall(k), ierr)
      call mpi_type_commit(tall(k), ierr)
      call mpi_type_contiguous(n, mpi_double_precision, tile, ierr)
      call mpi_type_commit(tile, ierr)
      wide(k) = tile
    end do
    call mpi_alltoallw(columns, ones, none, tall, rows, ones, starts, wide, mpi_comm_world, ierr)
    rows = sin(rows)*rows
    call mpi_ialltoallw(rows, ones, starts, wide, columns, ones, none, tall, mpi_comm_world, request, ierr)
    y = 2*x
    call mpi_wait(request, mpi_status_ignore, ierr)
    y = y + sum(rows, 2)*sum(columns, 1)
    do k = 1, np
      call mpi_type_free(tall(k), ierr)
      call mpi_type_free(wide(k), ierr)
    end do
  end subroutine
end module
