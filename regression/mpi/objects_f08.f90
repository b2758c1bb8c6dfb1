! Objects with reals of 4 bytes and integers of 8, in steps that pass them to both neighbours.
! head: m::f(y)/(x)
! size: n=4
! processes: 2
module m
  use mpi_f08
  implicit none
  type cell
    real(4) :: u(2), w
    integer(8) :: k
    integer :: z
    real :: pad
  end type
contains
  subroutine exchange(cells, t)
    type(cell), intent(inout), asynchronous :: cells(0:)
    type(MPI_Datatype), intent(in) :: t
    type(MPI_Request) :: q(4)
    integer :: me, np, n, left, right
    n = ubound(cells, 1) - 1
    call MPI_Comm_rank(MPI_COMM_WORLD, me)
    call MPI_Comm_size(MPI_COMM_WORLD, np)
    left = merge(me - 1, MPI_PROC_NULL, me > 0)
    right = merge(me + 1, MPI_PROC_NULL, me < np - 1)
    call MPI_Irecv(cells(0), 1, t, left, 1, MPI_COMM_WORLD, q(1))
    call MPI_Irecv(cells(n+1), 1, t, right, 2, MPI_COMM_WORLD, q(2))
    call MPI_Isend(cells(n), 1, t, right, 1, MPI_COMM_WORLD, q(3))
    call MPI_Isend(cells(1), 1, t, left, 2, MPI_COMM_WORLD, q(4))
    call MPI_Waitall(4, q, MPI_STATUSES_IGNORE)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real, intent(in) :: x(n)
    real, intent(out) :: y(n)
    type(cell) :: c(0:n+1), d
    type(MPI_Datatype) :: t, raw
    integer(MPI_ADDRESS_KIND) :: base, at(4), ext
    integer :: i, it
    call MPI_Get_address(c(0), base)
    call MPI_Get_address(c(0)%u, at(1))
    call MPI_Get_address(c(0)%w, at(2))
    call MPI_Get_address(c(0)%k, at(3))
    at = at - base
    call MPI_Get_address(c(1), ext)
    ext = ext - base
    call MPI_Type_create_struct(3, [2, 1, 1], at, [MPI_REAL, MPI_REAL, MPI_INTEGER8], raw)
    call MPI_Type_create_resized(raw, 0_MPI_ADDRESS_KIND, ext, t)
    call MPI_Type_commit(t)
    do i = 0, n + 1
      c(i)%u = 1
      c(i)%w = 2
      c(i)%k = i
    end do
    do i = 1, n
      c(i)%u(1) = x(i)
    end do
    do it = 1, 4
      call exchange(c, t)
      do i = 1, n
        c(i)%u(2) = c(i-1)%u(1)*c(i+1)%w + 0.2*c(i)%u(2)
        c(i)%w = c(i)%w + 0.1*c(i-1)%w
      end do
      do i = 1, n
        c(i)%u(1) = 0.5*c(i)%u(1) + 0.1*c(i)%u(2)
      end do
    end do
    y = c(1:n)%u(1) + c(1:n)%u(2)*x
    call MPI_Type_free(t)
    call MPI_Type_free(raw)
  end subroutine
end module
