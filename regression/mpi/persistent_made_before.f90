! Persistent requests of a module that another procedure makes before the head is called, for values, weights and numbers.
! head: halo::f(y)/(x)
! setup: halo::prepare
! processes: 1 3
module halo
  use mpi
  implicit none
  integer, parameter :: n = 5
  integer :: requests(6), counts(2)
  real(8) :: u(0:n+1) = 0, weights(2) = [0.5d0, 0d0]
contains
  subroutine prepare()
    integer :: rank, ranks, left, right, ierr
    call mpi_comm_rank(mpi_comm_world, rank, ierr)
    call mpi_comm_size(mpi_comm_world, ranks, ierr)
    left = modulo(rank - 1, ranks)
    right = modulo(rank + 1, ranks)
    call mpi_recv_init(u(0), 1, mpi_double_precision, left, 1, mpi_comm_world, requests(1), ierr)
    call mpi_send_init(u(n), 1, mpi_double_precision, right, 1, mpi_comm_world, requests(2), ierr)
    call mpi_recv_init(weights(2), 1, mpi_double_precision, left, 2, mpi_comm_world, requests(3), ierr)
    call mpi_ssend_init(weights(1), 1, mpi_double_precision, right, 2, mpi_comm_world, requests(4), ierr)
    call mpi_recv_init(counts(2), 1, mpi_integer, left, 3, mpi_comm_world, requests(5), ierr)
    call mpi_send_init(counts(1), 1, mpi_integer, right, 3, mpi_comm_world, requests(6), ierr)
    weights(1) = 0.5d0 + 0.1d0*rank
    counts(1) = 2 + rank
  end subroutine
  subroutine exchange()
    integer :: ierr
    call mpi_startall(6, requests, ierr)
    call mpi_waitall(6, requests, mpi_statuses_ignore, ierr)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: i, k
    u(1:n) = x
    do k = 1, 3
      call exchange()
      do i = n, 1, -1
        u(i) = u(i) + weights(2)*u(i)*u(i-1)/counts(2)
      end do
    end do
    y = sum(u(1:n)**2)
  end subroutine
end module
