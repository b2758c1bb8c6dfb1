! What a module keeps private of its messages (buffers, neighbours, requests, a communicator, tags) is used by procedures that
! derivative code of other modules calls.
! head: flows::run(u)/(u)
! size: n=4
! layout: extend
! processes: 1 3
module halos
  use mpi
  implicit none
  private
  integer, parameter :: tag = 7, dp = kind(1d0)
  integer, save :: before, after, requests(4), comm = MPI_COMM_NULL, cells = 0
  real(dp), allocatable, save :: sent(:, :), got(:, :)
  type, public :: halo_t
    private
    integer :: n = 0, requests(4)
    real(dp), allocatable :: sent(:), got(:)
  contains
    procedure :: begin
    procedure :: finish
  end type halo_t
  public :: start, post, complete, halo_of
contains
  subroutine start(n)
    integer, intent(in) :: n
    integer :: me, many, ierr
    call mpi_comm_dup(MPI_COMM_WORLD, comm, ierr)
    call mpi_comm_rank(comm, me, ierr)
    call mpi_comm_size(comm, many, ierr)
    before = modulo(me - 1, many)
    after = modulo(me + 1, many)
    cells = n
    if (.not. allocated(sent)) allocate (sent(2, 2), got(2, 2))
  end subroutine start

  subroutine fill(u)
    real(dp), intent(in) :: u(0:)
    sent(1, 1) = u(1)
    sent(2, 1) = u(1)**2
    sent(:, 2) = [u(cells), 2*u(cells)]
  end subroutine fill

  subroutine post(n, u)
    integer, intent(in) :: n
    real(dp), intent(in) :: u(0:n + 1)
    integer :: ierr
    call fill(u)
    call mpi_irecv(got(1, 1), 2, MPI_DOUBLE_PRECISION, before, tag, comm, requests(1), ierr)
    call mpi_irecv(got(1, 2), 2, MPI_DOUBLE_PRECISION, after, tag + 1, comm, requests(2), ierr)
    call mpi_isend(sent(1, 2), 2, MPI_DOUBLE_PRECISION, after, tag, comm, requests(3), ierr)
    call mpi_isend(sent(1, 1), 2, MPI_DOUBLE_PRECISION, before, tag + 1, comm, requests(4), ierr)
  end subroutine post

  subroutine complete(n, u)
    integer, intent(in) :: n
    real(dp), intent(inout) :: u(0:n + 1)
    integer :: ierr, k
    call mpi_waitall(4, requests, MPI_STATUSES_IGNORE, ierr)
    do k = 1, 2
      u(0) = u(0) + got(k, 1)
      u(n + 1) = u(n + 1)*got(k, 2)
    end do
  end subroutine complete

  subroutine halo_of(h, n)
    type(halo_t), intent(inout) :: h
    integer, intent(in) :: n
    h%n = n
    if (.not. allocated(h%sent)) allocate (h%sent(2), h%got(2))
  end subroutine halo_of

  subroutine begin(self, u)
    class(halo_t), intent(inout) :: self
    real(dp), intent(in) :: u(0:self%n + 1)
    integer :: ierr
    self%sent(1) = u(1)
    self%sent(2) = u(self%n)
    call mpi_irecv(self%got(1), 1, MPI_DOUBLE_PRECISION, before, 1, comm, self%requests(1), ierr)
    call mpi_irecv(self%got(2), 1, MPI_DOUBLE_PRECISION, after, 2, comm, self%requests(2), ierr)
    call mpi_isend(self%sent(2), 1, MPI_DOUBLE_PRECISION, after, 1, comm, self%requests(3), ierr)
    call mpi_isend(self%sent(1), 1, MPI_DOUBLE_PRECISION, before, 2, comm, self%requests(4), ierr)
  end subroutine begin

  subroutine finish(self, u)
    class(halo_t), intent(inout) :: self
    real(dp), intent(inout) :: u(0:self%n + 1)
    integer :: ierr
    call mpi_waitall(4, self%requests, MPI_STATUSES_IGNORE, ierr)
    u(0) = self%got(1)
    u(self%n + 1) = self%got(2)
  end subroutine finish
end module halos

module flows
  use halos
  implicit none
contains
  subroutine run(n, u)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(0:n + 1)
    real(8) :: w(n)
    type(halo_t) :: h
    integer :: k
    call start(n)
    call halo_of(h, n)
    do k = 1, 2
      call post(n, u)
      w = u(1:n)**2
      call complete(n, u)
      u(1:n) = w + 0.1d0*u(0:n - 1)*u(2:n + 1)
      call h%begin(u)
      w = 0.5d0*u(1:n)
      call h%finish(u)
      u(1:n) = w + 0.3d0*u(0:n - 1)*u(2:n + 1)
    end do
  end subroutine run
end module flows
