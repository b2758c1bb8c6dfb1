! Messages of unknown length that are found first and received by their handles, at once or later, and in another order than
! that of a receive with a wildcard beside them.
! head: m::f(y)/(x)
! size: n=3
! processes: 1 3
module m
  use mpi_f08
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: me, np, to, from, k, many, header(2)
    real(8) :: u(2*n), v(2*n)
    type(MPI_Message) :: found, none, second
    type(MPI_Request) :: q(4), r, s
    type(MPI_Status) :: st
    logical :: there
    call MPI_Comm_rank(MPI_COMM_WORLD, me)
    call MPI_Comm_size(MPI_COMM_WORLD, np)
    to = modulo(me + 1, np)
    from = modulo(me - 1, np)
    y = x
    do k = 1, 2
      u(:n) = y*k
      u(n+1:) = sin(y)
      call MPI_Irecv(v, 2*n, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, r)
      call MPI_Isend([k, me], 2, MPI_INTEGER, to, 5 + k, MPI_COMM_WORLD, q(1))
      call MPI_Isend(u, n + 1, MPI_DOUBLE_PRECISION, to, 5, MPI_COMM_WORLD, q(2))
      call MPI_Isend(y, n, MPI_DOUBLE_PRECISION, to, 5, MPI_COMM_WORLD, q(3))
      call MPI_Isend(y(n), 1, MPI_DOUBLE_PRECISION, to, 5, MPI_COMM_WORLD, q(4))
      call MPI_Mprobe(from, 5 + k, MPI_COMM_WORLD, found, st)
      call MPI_Mrecv(header, 2, MPI_INTEGER, found, st)
      call MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, found, st)
      call MPI_Get_count(st, MPI_DOUBLE_PRECISION, many)
      call MPI_Mrecv(u, many, MPI_DOUBLE_PRECISION, found, st)
      do
        call MPI_Improbe(from, 5, MPI_COMM_WORLD, there, second, st)
        if (there) exit
      end do
      call MPI_Imrecv(u(n + 2), 1, MPI_DOUBLE_PRECISION, second, s)
      call MPI_Wait(s, MPI_STATUS_IGNORE)
      call MPI_Wait(r, MPI_STATUS_IGNORE)
      call MPI_Mprobe(MPI_PROC_NULL, 5, MPI_COMM_WORLD, none, st)
      call MPI_Mrecv(v, n, MPI_DOUBLE_PRECISION, none, st)
      call MPI_Waitall(4, q, MPI_STATUSES_IGNORE)
      y = y + v(:n)*u(:n)*header(1) + v(n + 1)*u(n + 2)
    end do
    y = y*x
  end subroutine
end module
