! Packed buffers of integers that are broadcast, exchanged, sent on, and unpacked more than once; in a loop.
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
    integer :: me, np, pos, k, r
    integer :: box(100), other(100)
    real(8) :: a(n), c, u(n)
    type(MPI_Request) :: q(2)
    type(MPI_Status) :: st
    call MPI_Comm_rank(MPI_COMM_WORLD, me)
    call MPI_Comm_size(MPI_COMM_WORLD, np)
    y = 0
    u = x
    ! What was active gets values without derivatives.
    c = 2
    pos = 0
    a = x
    call MPI_Pack(c, 1, MPI_DOUBLE_PRECISION, box, 400, pos, MPI_COMM_WORLD)
    pos = 0
    call MPI_Unpack(box, 400, pos, a(1), 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD)
    u = u*a
    do k = 1, 3
      pos = 0
      if (me == 0) then
        c = sum(u)*k
        call MPI_Pack(k, 1, MPI_INTEGER, box, 400, pos, MPI_COMM_WORLD)
        call MPI_Pack(u, n, MPI_DOUBLE_PRECISION, box, 400, pos, MPI_COMM_WORLD)
        call MPI_Pack(c, 1, MPI_DOUBLE_PRECISION, box, 400, pos, MPI_COMM_WORLD)
      end if
      call MPI_Bcast(box, 400, MPI_PACKED, 0, MPI_COMM_WORLD)
      pos = 4
      call MPI_Unpack(box, 400, pos, a, n, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD)
      call MPI_Unpack(box, 400, pos, c, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD)
      y = y + a*c*x
      pos = 4
      call MPI_Unpack(box, 400, pos, a, n, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD)
      y = y + a**2
      pos = 4
      u = u*x + a(n)
      call MPI_Pack(u(2:n), n - 1, MPI_DOUBLE_PRECISION, box, 400, pos, MPI_COMM_WORLD)
      call MPI_Sendrecv(box, 400, MPI_PACKED, modulo(me + 1, np), k, other, 400, MPI_PACKED, MPI_ANY_SOURCE, k, &
        MPI_COMM_WORLD, st)
      r = 4
      call MPI_Unpack(other, 400, r, u, n, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD)
      call MPI_Irecv(box, 400, MPI_PACKED, modulo(me + 1, np), 9, MPI_COMM_WORLD, q(1))
      call MPI_Isend(other, 400, MPI_PACKED, modulo(me - 1, np), 9, MPI_COMM_WORLD, q(2))
      call MPI_Waitall(2, q, MPI_STATUSES_IGNORE)
      pos = 12
      call MPI_Unpack(box, 400, pos, c, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD)
      y = y*c + u
    end do
  end subroutine
end module
