! Persistent requests that a head makes when it is called first, by way of a variable from which they are copied into a list of
! the module, and uses in later calls, too.
! head: halo::f(y)/(x)
! processes: 1 3
module halo
  use mpi
  implicit none
  integer, parameter :: n = 5
  integer :: requests(4), made = 0
  real(8) :: sent(2), received(2)
contains
  subroutine make()
    integer :: rank, ranks, left, right, request, ierr
    call mpi_comm_rank(mpi_comm_world, rank, ierr)
    call mpi_comm_size(mpi_comm_world, ranks, ierr)
    left = modulo(rank - 1, ranks)
    right = modulo(rank + 1, ranks)
    call mpi_recv_init(received(1), 1, mpi_double_precision, left, 1, mpi_comm_world, request, ierr)
    call keep(request)
    call mpi_recv_init(received(2), 1, mpi_double_precision, right, 2, mpi_comm_world, request, ierr)
    call keep(request)
    call mpi_send_init(sent(1), 1, mpi_double_precision, left, 2, mpi_comm_world, request, ierr)
    call keep(request)
    call mpi_send_init(sent(2), 1, mpi_double_precision, right, 1, mpi_comm_world, request, ierr)
    call keep(request)
  end subroutine
  subroutine keep(request)
    integer, intent(in) :: request
    made = made + 1
    requests(made) = request
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: k, ierr
    if (made == 0) call make()
    y = x
    do k = 1, 3
      sent = [y(1)**2, sin(y(n))]
      call mpi_startall(4, requests, ierr)
      y(2:n-1) = y(2:n-1)*y(1:n-2)
      call mpi_waitall(4, requests, mpi_statuses_ignore, ierr)
      y(1) = y(1)*received(1)
      y(n) = y(n) + 0.1d0*received(2)**2
    end do
  end subroutine
end module
