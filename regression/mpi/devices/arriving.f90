! A message arrives in `b` while a device works: what it has of `b` must not be copied back.
! head: m::f(y)/(x)
module m
  use mpi
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: a(n), b(n)
    integer :: me, np, ierr, i, q(2)
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    !$acc parallel loop
    do i = 1, n
      a(i) = x(i)**2
    end do
    call mpi_irecv(b, n, mpi_double_precision, modulo(me - 1, np), 1, mpi_comm_world, q(1), ierr)
    call mpi_isend(a, n, mpi_double_precision, modulo(me + 1, np), 1, mpi_comm_world, q(2), ierr)
    !$acc parallel loop
    do i = 1, n
      y(i) = a(i)*x(i)
    end do
    call mpi_waitall(2, q, mpi_statuses_ignore, ierr)
    !$acc parallel loop
    do i = 1, n
      y(i) = y(i)*b(i)
    end do
  end subroutine
end module
