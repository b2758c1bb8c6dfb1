! Messages with one tag in two communicators of the same processes, which are received in another order than they are sent.
! head: m::f(y)/(x)
! size: n=3
! processes: 3
module m
  use mpi
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), asynchronous :: a(n), b(n), c(n)
    integer :: me, np, ierr, q(2), first, second, to, from, step
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    to = modulo(me + 1, np); from = modulo(me - 1, np)
    y = x
    do step = 1, 2
      call mpi_comm_dup(mpi_comm_world, first, ierr)
      call ring(np, second)
      a = y**2 + step*x
      call mpi_isend(a, n, mpi_double_precision, to, 1, first, q(1), ierr)
      call mpi_isend(x, n, mpi_double_precision, to, 1, second, q(2), ierr)
      call mpi_recv(b, n, mpi_double_precision, mpi_any_source, 1, second, mpi_status_ignore, ierr)
      call mpi_recv(c, n, mpi_double_precision, from, 1, first, mpi_status_ignore, ierr)
      call mpi_waitall(2, q, mpi_statuses_ignore, ierr)
      y = b*sin(c)*x + step*c
      if (step == 1) call mpi_comm_free(first, ierr)
      call mpi_comm_free(second, ierr)
    end do
  end subroutine
  subroutine ring(np, new)
    integer, intent(in) :: np
    integer, intent(out) :: new
    integer :: ierr
    if (np > 0) call mpi_cart_create(mpi_comm_world, 1, [np], [.true.], .false., new, ierr)
  end subroutine
end module
