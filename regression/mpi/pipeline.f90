! A pipeline of blocking messages: each process waits for the one before.
! head: m::f(y)/(x)
! size: n=4
! processes: 3
module m
  use mpi
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: rank, np, ierr, st(MPI_STATUS_SIZE), k
    real(8) :: w(n)
    call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, np, ierr)
    y = x**2
    ! A pipeline: each rank adds what the one before sends.
    if (rank > 0) then
      call mpi_recv(w, n, MPI_DOUBLE_PRECISION, rank - 1, 7, MPI_COMM_WORLD, st, ierr)
      do k = 1, n
        y(k) = y(k) + sin(w(k)) * x(k)
      end do
    end if
    if (rank < np - 1) call mpi_send(y, n, MPI_DOUBLE_PRECISION, rank + 1, 7, MPI_COMM_WORLD, ierr)
    y = y * x
  end subroutine f
end module m
