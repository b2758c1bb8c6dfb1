! Time steps under a schedule in a called procedure, whose arrays have the extents of a module variable.
! head: m::f(y)/(x)
! size: steps=9
! processes: 3
module m
  use mpi
  implicit none
  integer :: nx = 4
contains
  subroutine step(u)
    real(8), intent(inout) :: u(0:nx)
    integer :: q(2), me, np, e
    call mpi_comm_rank(mpi_comm_world, me, e)
    call mpi_comm_size(mpi_comm_world, np, e)
    call mpi_irecv(u(0), 1, mpi_double_precision, modulo(me-1,np), 1, mpi_comm_world, q(1), e)
    call mpi_isend(u(nx), 1, mpi_double_precision, modulo(me+1,np), 1, mpi_comm_world, q(2), e)
    call mpi_waitall(2, q, mpi_statuses_ignore, e)
    u(1:nx) = u(1:nx)*(1 - 0.1d0*u(0:nx-1))
  end subroutine
  subroutine run(x, steps, u)
    integer, intent(in) :: steps
    real(8), intent(in) :: x(nx)
    real(8), intent(out) :: u(0:nx)
    integer :: n
    u = 0
    u(1:nx) = x
    !$ad checkpoint schedule(revolve) snapshots(3)
    do n = 1, steps
      call step(u)
    end do
  end subroutine
  subroutine f(x, steps, y)
    integer, intent(in) :: steps
    real(8), intent(in) :: x(nx)
    real(8), intent(out) :: y
    real(8) :: u(0:nx)
    call run(x, steps, u)
    y = sum(u**2)
  end subroutine
end module
