! A recursive procedure that passes messages.
! head: m::f(y)/(x)
! refused: C0410
module m
  use mpi_f08
  implicit none
contains
  recursive subroutine tree(n, v, lo, hi, me)
    integer, intent(in) :: n, lo, hi, me
    real(8), intent(inout) :: v(n)
    real(8) :: w(n)
    integer :: mid
    if (hi <= lo) return
    mid = (lo + hi)/2
    if (me <= mid) then
      call tree(n, v, lo, mid, me)
    else
      call tree(n, v, mid+1, hi, me)
    end if
    if (me == lo) then
      call mpi_recv(w, n, mpi_double_precision, mid+1, 4, mpi_comm_world, mpi_status_ignore)
      v = v*w + sin(v)
      call mpi_send(v, n, mpi_double_precision, mid+1, 4, mpi_comm_world)
    else if (me == mid+1) then
      call mpi_send(v, n, mpi_double_precision, lo, 4, mpi_comm_world)
      call mpi_recv(w, n, mpi_double_precision, lo, 4, mpi_comm_world, mpi_status_ignore)
      v = w - v**2
    end if
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: me, np
    call mpi_comm_rank(mpi_comm_world, me)
    call mpi_comm_size(mpi_comm_world, np)
    y = x
    call tree(n, y, 0, np-1, me)
    y = y*x
  end subroutine
end module
