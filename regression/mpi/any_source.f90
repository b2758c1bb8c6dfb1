! A master that receives from anyone, requests in a component, mpi_waitany.
! head: m::f(y)/(x)
! size: n=3
! processes: 1 3
module m
  use mpi
  implicit none
  type :: link
    integer :: req(2)
    real(8), allocatable :: inbox(:)
  end type link
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: rank, np, ierr, st(MPI_STATUS_SIZE), k, from, which
    type(link) :: l
    real(8) :: w(n)
    call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, np, ierr)
    y = x
    if (rank == 0) then
      do k = 1, np - 1
        call mpi_recv(w, n, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, st, ierr)
        from = st(MPI_SOURCE)
        y = y + from * w**2
      end do
    else
      call mpi_ssend(x, n, MPI_DOUBLE_PRECISION, 0, 10, MPI_COMM_WORLD, ierr)
    end if
    allocate(l%inbox(n))
    l%inbox = 0
    call mpi_irecv(l%inbox, n, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, l%req(1), ierr)
    call mpi_isend(y, n, MPI_DOUBLE_PRECISION, mod(rank+1, np), 99, MPI_COMM_WORLD, l%req(2), ierr)
    do k = 1, 2
      call mpi_waitany(2, l%req, which, st, ierr)
    end do
    y = y * l%inbox
  end subroutine f
end module m
