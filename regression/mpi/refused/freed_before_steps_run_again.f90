! Persistent requests for arrays that are freed: the backward sweep, in which steps run again, has them at other addresses.
! head: m::f(y)/(x)
! refused: C0409
module m
  use mpi
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), allocatable, asynchronous :: s(:), r(:)
    integer :: q(2), me, np, it, ierr
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    allocate(s(n), r(n))
    call mpi_recv_init(r, n, mpi_double_precision, modulo(me - 1, np), 3, mpi_comm_world, q(1), ierr)
    call mpi_send_init(s, n, mpi_double_precision, modulo(me + 1, np), 3, mpi_comm_world, q(2), ierr)
    y = x
    !$ad checkpoint schedule(revolve) snapshots(3)
    do it = 1, 7
      s = y
      call mpi_startall(2, q, ierr)
      call mpi_waitall(2, q, mpi_statuses_ignore, ierr)
      y = 0.9d0*y + 0.1d0*r**2
    end do
    call mpi_request_free(q(1), ierr)
    call mpi_request_free(q(2), ierr)
    deallocate(s, r)
  end subroutine
end module
