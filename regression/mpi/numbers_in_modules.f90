! Extents of arrays and numbers of elements are one variable of a module; a message is begun in one procedure and completed in
! another, and buffers get memory in the first call.
! head: steps::run(u)/(u)
! size: u=6,3
! setup: exchanges::prepare
! processes: 1 3
module exchanges
  use mpi
  implicit none
  integer :: nx, ny, left, right, requests(2)
  real(8), allocatable :: sent(:), received(:), more(:), back(:)
contains
  subroutine prepare()
    integer :: rank, ranks, ierr
    nx = 4
    ny = 3
    call mpi_comm_rank(mpi_comm_world, rank, ierr)
    call mpi_comm_size(mpi_comm_world, ranks, ierr)
    left = modulo(rank - 1, ranks)
    right = modulo(rank + 1, ranks)
    allocate(sent(ny), received(ny))
  end subroutine
  subroutine begin(u)
    real(8), intent(in) :: u(0:nx+1, ny)
    integer :: ierr
    sent(:) = u(nx, :)
    call mpi_irecv(received, ny, mpi_double_precision, left, 1, mpi_comm_world, requests(1), ierr)
    call mpi_isend(sent, ny, mpi_double_precision, right, 1, mpi_comm_world, requests(2), ierr)
  end subroutine
  subroutine complete(u)
    real(8), intent(inout) :: u(0:nx+1, ny)
    integer :: ierr
    call mpi_waitall(2, requests, mpi_statuses_ignore, ierr)
    u(0, :) = received(:)*u(1, :)
  end subroutine
  subroutine exchange(u)
    real(8), intent(inout) :: u(0:nx+1, ny)
    integer :: ierr
    if (.not. allocated(more)) then
      allocate(more(ny))
      allocate(back(ny))
    end if
    more(:) = u(1, :)
    call mpi_sendrecv(more, ny, mpi_double_precision, left, 2, back, ny, mpi_double_precision, right, 2, &
      mpi_comm_world, mpi_status_ignore, ierr)
    u(nx+1, :) = back(:)
  end subroutine
end module
module steps
  use exchanges
  implicit none
contains
  subroutine run(u)
    real(8), intent(inout) :: u(0:nx+1, ny)
    call f(u)
    call g(u)
  end subroutine
  subroutine f(u)
    real(8), intent(inout) :: u(0:nx+1, ny)
    real(8) :: w(nx, ny)
    integer :: k
    do k = 1, 2
      call begin(u)
      w = 0.9d0*u(1:nx, :)**2
      call complete(u)
      u(1:nx, :) = w + 0.1d0*u(0:nx-1, :)
    end do
  end subroutine
  subroutine g(u)
    real(8), intent(inout) :: u(0:nx+1, ny)
    integer :: k
    do k = 1, 3
      call exchange(u)
      u(1:nx, :) = u(1:nx, :)*u(2:nx+1, :)
    end do
  end subroutine
end module
