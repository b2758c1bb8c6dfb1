! Messages that a later step completes, in a loop under a schedule.
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
    integer :: me, np, ierr, it, rr, rs
    real(8) :: a(n), b(n)
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    a = x
    call mpi_irecv(b, n, mpi_double_precision, modulo(me-1,np), 1, mpi_comm_world, rr, ierr)
    call mpi_isend(a, n, mpi_double_precision, modulo(me+1,np), 1, mpi_comm_world, rs, ierr)
    !$ad checkpoint schedule(revolve) snapshots(3)
    do it = 1, 7
      call mpi_wait(rr, mpi_status_ignore, ierr)
      call mpi_wait(rs, mpi_status_ignore, ierr)
      a = b*x
      call mpi_irecv(b, n, mpi_double_precision, modulo(me-1,np), 1, mpi_comm_world, rr, ierr)
      call mpi_isend(a, n, mpi_double_precision, modulo(me+1,np), 1, mpi_comm_world, rs, ierr)
    end do
    call mpi_wait(rr, mpi_status_ignore, ierr)
    call mpi_wait(rs, mpi_status_ignore, ierr)
    y = b*b
  end subroutine
end module
