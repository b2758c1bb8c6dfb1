! A procedure that passes messages in a loop without a count.
! head: m::f(y)/(x)
! size: n=5
! processes: 3
module m
  use mpi
  implicit none
contains
  subroutine shift(v, k)
    integer, intent(in) :: k
    real(8), intent(inout) :: v(k)
    integer :: ierr, me, np
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    call mpi_sendrecv_replace(v, k, mpi_double_precision, modulo(me+1,np), 1, modulo(me-1,np), 1, &
      mpi_comm_world, mpi_status_ignore, ierr)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: it
    y = x
    it = 0
    do while (it < 4)
      it = it + 1
      call shift(y, n)
      y = y*x + 0.1d0*it
    end do
  end subroutine
end module
