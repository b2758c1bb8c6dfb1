! Begun in one procedure and completed in the loop of another one, whichever comes first.
! head: m::f(y)/(x)
! size: n=5
! processes: 3
module m
  use mpi
  implicit none
  real(8) :: sb(5,2), rb(5,2)
  integer :: q(4)
  real(8) :: u(5)
contains
  subroutine start(n, me, np)
    integer, intent(in) :: n, me, np
    integer :: ierr
    call mpi_irecv(rb(1,1), n, mpi_double_precision, modulo(me-1,np), 1, mpi_comm_world, q(1), ierr)
    call mpi_irecv(rb(1,2), n, mpi_double_precision, modulo(me+1,np), 2, mpi_comm_world, q(2), ierr)
    call mpi_isend(sb(1,1), n, mpi_double_precision, modulo(me-1,np), 2, mpi_comm_world, q(3), ierr)
    call mpi_isend(sb(1,2), n, mpi_double_precision, modulo(me+1,np), 1, mpi_comm_world, q(4), ierr)
  end subroutine
  subroutine finish()
    integer :: i, k, ierr
    do i = 1, 4
      call mpi_waitany(4, q, k, mpi_status_ignore, ierr)
      if (k <= 2) u = u + k*rb(:,k)**2
    end do
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: me, np, ierr, to, from
    integer :: it
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    to = modulo(me+1, np); from = modulo(me-1, np)
    u = x
    do it = 1, 3
      sb(:,1) = u; sb(:,2) = u**2
      call start(n, me, np)
      u = u*0.5d0
      call finish()
    end do
    y = u
  end subroutine
end module
