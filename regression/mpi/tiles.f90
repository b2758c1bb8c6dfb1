! Tiles of each process are in an array of objects: neighbours among them hand on their edges, which a procedure does that is given
! two of them, and a procedure that begins messages with processes beside it is called by the one that completes them.
! head: m::f(y)/(x)
! size: n=4
! processes: 2 3
module tiles_of
  implicit none
  integer, parameter :: tiles = 3
  type :: tile_type
    real(8), allocatable :: u(:)
    integer :: left, right
  end type
  type :: chunk_type
    type(tile_type), allocatable :: tiles(:)
    real(8), allocatable :: sent(:), received(:)
  end type
  type(chunk_type) :: chunk
end module
module m
  use mpi
  implicit none
contains
  subroutine edges(n, u, left, right)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(0:n+1)
    real(8), intent(in) :: left(0:n+1), right(0:n+1)
    u(0) = left(n)
    u(n+1) = right(1)
  end subroutine
  subroutine begin(sent, received, count, to, tag, request1, request2)
    integer, intent(in) :: count, to, tag
    real(8), intent(inout) :: sent(count), received(count)
    integer, intent(out) :: request1, request2
    integer :: ierr
    call mpi_irecv(received, count, mpi_double_precision, to, tag, mpi_comm_world, request1, ierr)
    call mpi_isend(sent, count, mpi_double_precision, to, 3 - tag, mpi_comm_world, request2, ierr)
  end subroutine
  subroutine exchange(n)
    use tiles_of
    integer, intent(in) :: n
    integer :: k, me, np, ierr, messages, request(4), status(mpi_status_size, 4)
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    do k = 1, tiles
      call edges(n, chunk%tiles(k)%u, chunk%tiles(chunk%tiles(k)%left)%u, chunk%tiles(chunk%tiles(k)%right)%u)
    end do
    messages = 0
    request = mpi_request_null
    chunk%sent(1) = chunk%tiles(1)%u(1)
    chunk%sent(2) = chunk%tiles(tiles)%u(n)
    if (me > 0) then
      call begin(chunk%sent(1:1), chunk%received(1:1), 1, me - 1, 1, request(messages+1), request(messages+2))
      messages = messages + 2
    end if
    if (me < np - 1) then
      call begin(chunk%sent(2:2), chunk%received(2:2), 1, me + 1, 2, request(messages+1), request(messages+2))
      messages = messages + 2
    end if
    call mpi_waitall(messages, request, status, ierr)
    if (me > 0) chunk%tiles(1)%u(0) = chunk%received(1)
    if (me < np - 1) chunk%tiles(tiles)%u(n+1) = chunk%received(2)
  end subroutine
  subroutine f(n, x, y)
    use tiles_of
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: k, step
    allocate(chunk%tiles(tiles), chunk%sent(2), chunk%received(2))
    chunk%received = 0
    do k = 1, tiles
      allocate(chunk%tiles(k)%u(0:n+1))
      chunk%tiles(k)%u = 0
      chunk%tiles(k)%u(1:n) = x*k
      chunk%tiles(k)%left = modulo(k-2, tiles) + 1
      chunk%tiles(k)%right = modulo(k, tiles) + 1
    end do
    do step = 1, 2
      call exchange(n)
      do k = 1, tiles
        chunk%tiles(k)%u(1:n) = sin(chunk%tiles(k)%u(1:n)) + 0.1d0*chunk%tiles(k)%u(0:n-1)*chunk%tiles(k)%u(2:n+1)
      end do
    end do
    y = chunk%tiles(1)%u(1:n) + chunk%tiles(tiles)%u(1:n)
    deallocate(chunk%tiles, chunk%sent, chunk%received)
  end subroutine
end module
