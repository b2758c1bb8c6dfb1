! Procedures of objects that begin messages by calls of others, of parts of arrays: columns, elements with what follows them, and
! sections of allocatable arrays. Another one completes them.
! head: parts::all_parts(y)/(x)
! size: n=4
! processes: 1 3
module parts
  use mpi
  implicit none
  type :: halo_t
    integer :: n = 0, before = -1, after = -1
    integer :: requests(4) = MPI_REQUEST_NULL
  contains
    procedure :: set_up
    procedure :: side
    procedure :: begin
    procedure :: begin_plane
    procedure :: finish
  end type halo_t
contains
  subroutine set_up(self, n)
    class(halo_t), intent(inout) :: self
    integer, intent(in) :: n
    integer :: me, many, ierr
    self%n = n
    call mpi_comm_rank(MPI_COMM_WORLD, me, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, many, ierr)
    self%before = modulo(me - 1, many)
    self%after = modulo(me + 1, many)
  end subroutine set_up

  subroutine side(self, u, k)
    class(halo_t), intent(inout) :: self
    real(8), intent(inout) :: u(0:self%n + 1)
    integer, intent(in) :: k
    integer :: ierr
    if (k == 1) then
      call mpi_irecv(u(0), 1, MPI_DOUBLE_PRECISION, self%before, 1, MPI_COMM_WORLD, self%requests(1), ierr)
      call mpi_isend(u(self%n), 1, MPI_DOUBLE_PRECISION, self%after, 1, MPI_COMM_WORLD, self%requests(2), ierr)
    else
      call mpi_irecv(u(self%n + 1), 1, MPI_DOUBLE_PRECISION, self%after, 2, MPI_COMM_WORLD, self%requests(3), ierr)
      call mpi_isend(u(1), 1, MPI_DOUBLE_PRECISION, self%before, 2, MPI_COMM_WORLD, self%requests(4), ierr)
    end if
  end subroutine side

  subroutine begin(self, u)
    class(halo_t), intent(inout) :: self
    real(8), intent(inout) :: u(0:self%n + 1)
    call self%side(u, 1)
    call self%side(u, 2)
  end subroutine begin

  subroutine begin_plane(self, u)
    class(halo_t), intent(inout) :: self
    real(8), intent(inout) :: u(0:self%n + 1, 0:self%n + 1)
    integer :: many, ierr
    many = self%n + 2
    call mpi_irecv(u(0, 0), many, MPI_DOUBLE_PRECISION, self%before, 3, MPI_COMM_WORLD, self%requests(1), ierr)
    call mpi_irecv(u(0, self%n + 1), many, MPI_DOUBLE_PRECISION, self%after, 4, MPI_COMM_WORLD, self%requests(2), ierr)
    call mpi_isend(u(0, self%n), many, MPI_DOUBLE_PRECISION, self%after, 3, MPI_COMM_WORLD, self%requests(3), ierr)
    call mpi_isend(u(0, 1), many, MPI_DOUBLE_PRECISION, self%before, 4, MPI_COMM_WORLD, self%requests(4), ierr)
  end subroutine begin_plane

  subroutine finish(self)
    class(halo_t), intent(inout) :: self
    integer :: ierr
    call mpi_waitall(4, self%requests, MPI_STATUSES_IGNORE, ierr)
  end subroutine finish

  subroutine all_parts(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(halo_t) :: h
    real(8) :: a(0:n + 1, 3), c(0:n + 1, -1:n + 3)
    real(8), allocatable :: b(:, :), d(:, :, :)
    integer :: i, j, k
    call h%set_up(n)
    k = 2
    allocate(b(-1:n, 2), d(n + 2, n + 2, 2))
    a = 0
    b = 0
    c = 0
    d = 0
    a(1:n, k) = x**2
    b(0:n - 1, 1) = sin(x)
    do j = 1, n
      c(1:n, j) = x*x(j)
      d(2:n + 1, j + 1, k) = x + x(j)**2
    end do
    call h%begin(a(0, k))
    call h%finish()
    call h%begin(b(:, 1))
    call h%finish()
    call h%begin_plane(c(0, 0))
    call h%finish()
    call h%begin_plane(d(:, :, k))
    call h%finish()
    do i = 1, n
      y(i) = a(i, k)*(a(i - 1, k) + a(i + 1, k)) + b(i - 1, 1)*(b(i - 2, 1) - b(i, 1))
      do j = 1, n
        y(i) = y(i) + c(i, j)*(c(i, j - 1) - 0.5d0*c(i, j + 1))
        y(i) = y(i) + d(i + 1, j + 1, k)*(d(i + 1, j, k) + d(i + 1, j + 2, k))
      end do
    end do
  end subroutine all_parts
end module parts
