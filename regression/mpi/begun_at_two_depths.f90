! One call completes messages that were begun directly, by a procedure for columns, for the memory of an object and for a module's
! array: procedures that begin some of them stand in place of their calls until all are known.
! head: tracers::run(a, b)/(a, b)
! size: n=3 m=2
! processes: 1 3
module exchanges
  use mpi
  implicit none
  type :: field_t
    real(8), allocatable :: v(:)
  end type field_t
  integer :: before, after, pending = 0, requests(48)
  real(8) :: level(-1:3)
contains
  subroutine neighbours()
    integer :: me, many, ierr
    call mpi_comm_rank(MPI_COMM_WORLD, me, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, many, ierr)
    before = modulo(me - 1, many)
    after = modulo(me + 1, many)
  end subroutine neighbours

  subroutine begin(n, u, tag)
    integer, intent(in) :: n, tag
    real(8), intent(inout) :: u(0:n + 1)
    integer :: ierr
    call mpi_irecv(u(0), 1, MPI_DOUBLE_PRECISION, before, 2*tag, MPI_COMM_WORLD, requests(pending + 1), ierr)
    call mpi_irecv(u(n + 1), 1, MPI_DOUBLE_PRECISION, after, 2*tag + 1, MPI_COMM_WORLD, requests(pending + 2), ierr)
    call mpi_isend(u(n), 1, MPI_DOUBLE_PRECISION, after, 2*tag, MPI_COMM_WORLD, requests(pending + 3), ierr)
    call mpi_isend(u(1), 1, MPI_DOUBLE_PRECISION, before, 2*tag + 1, MPI_COMM_WORLD, requests(pending + 4), ierr)
    pending = pending + 4
  end subroutine begin

  subroutine begin_columns(n, m, u, tag)
    integer, intent(in) :: n, m, tag
    real(8), intent(inout) :: u(0:n + 1, m)
    integer :: k
    do k = 1, m
      call begin(n, u(0, k), tag + k)
    end do
  end subroutine begin_columns

  subroutine begin_object(n, f, tag)
    integer, intent(in) :: n, tag
    type(field_t), intent(inout) :: f
    call begin(n, f%v, tag)
  end subroutine begin_object

  subroutine begin_level(n, tag)
    integer, intent(in) :: n, tag
    call begin(n, level, tag)
  end subroutine begin_level

  subroutine complete()
    integer :: ierr
    call mpi_waitall(pending, requests, MPI_STATUSES_IGNORE, ierr)
    pending = 0
  end subroutine complete
end module exchanges

module tracers
  use exchanges
  implicit none
contains
  subroutine run(n, m, a, b)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: a(0:n + 1), b(0:n + 1, m)
    real(8) :: w(n)
    type(field_t) :: f
    integer :: k
    call neighbours()
    allocate (f%v(2:n + 3))
    f%v = a**2
    level = a
    do k = 1, 2
      call begin(n, a, 1)
      call begin_columns(n, m, b, 2)
      call begin_object(n, f, 20)
      call begin_level(n, 30)
      call complete()
      w = a(0:n - 1)*b(2:n + 1, 1)*f%v(2:n + 1)*level(1:n)
      b(1:n, m) = b(1:n, m) + 0.1d0*a(1:n)*b(0:n - 1, m)
      a(1:n) = a(1:n) + 0.1d0*w
      f%v(3:n + 2) = a(1:n)
      level(0:n - 1) = w
    end do
  end subroutine run
end module tracers
