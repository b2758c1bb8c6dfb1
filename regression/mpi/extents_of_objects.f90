! Messages that one procedure begins and another completes, with arrays whose extents are components of an object: that these are
! the extents of what is passed is found out while the program runs.
! head: oceans::run(q)/(q)
! size: n=4 m=3
! processes: 1 3
module halos
  use mpi
  implicit none
  type :: halo_t
    integer :: nx = 0, ny = 0, before = 0, after = 0, requests(4)
    real(8), allocatable :: sent(:, :), got(:, :)
  end type halo_t
contains
  subroutine halo_of(h, nx, ny)
    type(halo_t), intent(out) :: h
    integer, intent(in) :: nx, ny
    integer :: me, many, ierr
    call mpi_comm_rank(MPI_COMM_WORLD, me, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, many, ierr)
    h%nx = nx
    h%ny = ny
    h%before = modulo(me - 1, many)
    h%after = modulo(me + 1, many)
    allocate (h%sent(ny, 2), h%got(ny, 2))
  end subroutine halo_of

  subroutine post(h, q)
    type(halo_t), intent(inout) :: h
    real(8), intent(in) :: q(0:h%nx + 1, h%ny)
    integer :: ierr
    h%sent(:, 1) = q(1, :)
    h%sent(:, 2) = q(h%nx, :)
    call mpi_irecv(h%got(1, 1), h%ny, MPI_DOUBLE_PRECISION, h%before, 1, MPI_COMM_WORLD, h%requests(1), ierr)
    call mpi_irecv(h%got(1, 2), h%ny, MPI_DOUBLE_PRECISION, h%after, 2, MPI_COMM_WORLD, h%requests(2), ierr)
    call mpi_isend(h%sent(1, 2), h%ny, MPI_DOUBLE_PRECISION, h%after, 1, MPI_COMM_WORLD, h%requests(3), ierr)
    call mpi_isend(h%sent(1, 1), h%ny, MPI_DOUBLE_PRECISION, h%before, 2, MPI_COMM_WORLD, h%requests(4), ierr)
  end subroutine post

  subroutine complete(h, q)
    type(halo_t), intent(inout) :: h
    real(8), intent(inout) :: q(0:h%nx + 1, h%ny)
    integer :: ierr
    call mpi_waitall(4, h%requests, MPI_STATUSES_IGNORE, ierr)
    q(0, :) = h%got(:, 1)
    q(h%nx + 1, :) = h%got(:, 2)
  end subroutine complete
end module halos

module oceans
  use halos
  implicit none
contains
  subroutine run(n, m, q)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: q(n, m)
    type(halo_t) :: h
    ! More columns than the halo has, and other lower bounds.
    real(8), allocatable :: field(:, :)
    real(8) :: other(-1:n, 0:m)
    integer :: k
    call halo_of(h, n, m)
    allocate (field(0:n + 1, m + 1))
    field = 2
    field(1:n, 1:m) = q
    other = 1
    other(0:n - 1, 0:m - 1) = q**2
    do k = 1, 2
      call step(h, field)
      call smooth(h, other)
    end do
    q = field(1:n, 1:m)*other(0:n - 1, 0:m - 1)
    q(1, :) = q(1, :)*field(2, m + 1)*other(n, 0:m - 1)
  end subroutine run

  subroutine step(h, q)
    type(halo_t), intent(inout) :: h
    real(8), allocatable, intent(inout) :: q(:, :)
    real(8) :: w(h%nx, h%ny)
    integer :: i
    call post(h, q)
    w = 0.9d0*q(1:h%nx, 1:h%ny)**2
    call complete(h, q)
    do i = 1, h%nx
      w(i, :) = w(i, :) + 0.1d0*q(i - 1, 1:h%ny)*q(i + 1, 1:h%ny)
    end do
    q(1:h%nx, 1:h%ny) = w
  end subroutine step

  subroutine smooth(h, t)
    type(halo_t), intent(inout) :: h
    real(8), intent(inout) :: t(0:h%nx + 1, h%ny)
    real(8) :: w(h%nx, h%ny)
    call post(h, t)
    w = t(1:h%nx, :)
    call complete(h, t)
    t(1:h%nx, :) = 0.5d0*w + 0.3d0*(t(0:h%nx - 1, :)*t(2:h%nx + 1, :))
  end subroutine smooth
end module oceans
