! Halos by persistent requests in time steps that run again.
! head: m::f(y)/(x)
! size: n=6
! processes: 1 3
module m
  use mpi_f08
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: u(0:n+1), v(n)
    type(mpi_request) :: halo(4)
    integer :: me, np, left, right, k, i
    call mpi_comm_rank(mpi_comm_world, me)
    call mpi_comm_size(mpi_comm_world, np)
    left = merge(me - 1, mpi_proc_null, me > 0)
    right = merge(me + 1, mpi_proc_null, me < np - 1)
    call mpi_recv_init(u(0), 1, mpi_double_precision, left, 7, mpi_comm_world, halo(1))
    call mpi_recv_init(u(n+1), 1, mpi_double_precision, right, 8, mpi_comm_world, halo(2))
    call mpi_send_init(u(n), 1, mpi_double_precision, right, 7, mpi_comm_world, halo(3))
    call mpi_send_init(u(1), 1, mpi_double_precision, left, 8, mpi_comm_world, halo(4))
    u = 0
    u(1:n) = x
    !$ad checkpoint schedule(revolve) snapshots(3)
    do k = 1, 9
      call mpi_startall(4, halo)
      do i = 2, n - 1
        v(i) = u(i) + 0.1d0*u(i)*(u(i-1) - 2*u(i) + u(i+1))
      end do
      call mpi_waitall(4, halo, mpi_statuses_ignore)
      v(1) = u(1) + 0.1d0*u(1)*(u(0) - 2*u(1) + u(2))
      v(n) = u(n) + 0.1d0*u(n)*(u(n-1) - 2*u(n) + u(n+1))
      u(1:n) = v
    end do
    do i = 1, 4
      call mpi_request_free(halo(i))
    end do
    y = sum(u(1:n)**2)
  end subroutine
end module
