! Real values that are packed into a real variable.
! head: m::f(y)/(x)
! refused: C0405
module m
  use mpi
  implicit none
  integer, parameter :: w = mpi_comm_world, dp = mpi_double_precision
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: me, np, ierr, to, from, pos, k, st(mpi_status_size)
    real(8) :: a(20)
    call mpi_comm_rank(w, me, ierr)
    call mpi_comm_size(w, np, ierr)
    to = modulo(me + 1, np)
    from = modulo(me - 1, np)
    y = x
    pos = 0
    call mpi_pack(x, n, dp, a, 160, pos, w, ierr)
    pos = 0
    call mpi_unpack(a, 160, pos, y, n, dp, w, ierr)
    y = y*x
  end subroutine

end module
