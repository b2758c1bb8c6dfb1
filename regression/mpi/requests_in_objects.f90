! Requests and data in the components of array elements.
! head: m::f(y)/(x)
! size: n=5
! processes: 3
module m
  use mpi_f08
  implicit none
  type side
    integer :: nb
    real(8) :: s, r
    type(mpi_request) :: rq, sq
  end type
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(side) :: d(2)
    integer :: me, np, i
    call mpi_comm_rank(mpi_comm_world, me)
    call mpi_comm_size(mpi_comm_world, np)
    d(1)%nb = merge(me-1, mpi_proc_null, me > 0)
    d(2)%nb = merge(me+1, mpi_proc_null, me < np-1)
    d(1)%r = 1; d(2)%r = 1
    d(1)%s = x(1); d(2)%s = x(n)
    do i = 1, 2
      call mpi_irecv(d(i)%r, 1, mpi_double_precision, d(i)%nb, 3-i, mpi_comm_world, d(i)%rq)
      call mpi_isend(d(i)%s, 1, mpi_double_precision, d(i)%nb, i, mpi_comm_world, d(i)%sq)
    end do
    do i = 1, 2
      call mpi_wait(d(i)%rq, mpi_status_ignore)
      call mpi_wait(d(i)%sq, mpi_status_ignore)
    end do
    y = x*d(1)%r*d(2)%r
  end subroutine
end module
