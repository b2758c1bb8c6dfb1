! Buffers in components of an array of neighbours, requests in an array of their own: of allocatable components, of
! those of fixed size, of objects in objects, where some have no memory; persistent ones in a module; timed by MPI's clock in steps
! that run again.
! head: m::f(y)/(x)
! size: n=4
! processes: 3
module exchange
  use mpi
  implicit none
  type leaf
    real(8), allocatable :: v(:)
  end type leaf
  type neighbour
    integer :: rank = mpi_proc_null
    integer, allocatable :: own(:), halo(:)
    real(8), allocatable :: to(:), from(:)
    real(8), allocatable :: back(:)
    real(8) :: few(2) = 0
    type(leaf) :: leaves(2)
  end type neighbour
  type(neighbour), allocatable :: around(:)
  integer :: rank, np, lasting(4)
  real(8) :: spent = 0
contains
  subroutine meet(n)
    integer, intent(in) :: n
    integer :: k, ierr
    call mpi_comm_rank(mpi_comm_world, rank, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    if (allocated(around)) deallocate (around)
    allocate (around(0:2))
    do k = 1, 2
      around(k)%rank = modulo(rank + 2*k - 3, np)
      allocate (around(k)%to(2), around(k)%from(2), around(k)%back(2), around(k)%leaves(k)%v(2))
      around(k)%own = [1, n]
      around(k)%halo = [n + 2*k - 1, n + 2*k]
    end do
  end subroutine meet
  ! Received in allocatable components.
  subroutine exchange_halo(u)
    real(8), intent(inout) :: u(:)
    integer :: req(4), k, i, ierr
    real(8) :: start
    start = mpi_wtime()
    do k = 1, 2
      call mpi_irecv(around(k)%from, 2, mpi_double_precision, around(k)%rank, 3 - k, mpi_comm_world, req(k), ierr)
      do i = 1, 2
        around(k)%to(i) = u(around(k)%own(i))
      end do
      call mpi_isend(around(k)%to(1), 2, mpi_double_precision, around(k)%rank, k, mpi_comm_world, req(2 + k), ierr)
    end do
    call mpi_waitall(4, req, mpi_statuses_ignore, ierr)
    do k = 1, 2
      u(around(k)%halo) = around(k)%from
    end do
    spent = spent + mpi_wtime() - start
  end subroutine exchange_halo
  ! Of a dummy: in others, in components of fixed size, and in objects inside.
  subroutine exchange_others(list, u)
    type(neighbour), intent(inout) :: list(:)
    real(8), intent(inout) :: u(:)
    integer :: req(6), k, tag, ierr
    do k = 1, 2
      call mpi_irecv(list(k)%back, 2, mpi_double_precision, list(k)%rank, 3 - k, mpi_comm_world, req(k), ierr)
      call mpi_irecv(list(k)%few(2), 1, mpi_double_precision, list(k)%rank, 13 - k, mpi_comm_world, req(2 + k), ierr)
      call mpi_irecv(list(k)%leaves(k)%v, 2, mpi_double_precision, list(k)%rank, 23 - k, mpi_comm_world, req(4 + k), ierr)
    end do
    do k = 1, 2
      do tag = k, 20 + k, 10
        call mpi_send(u(tag/10 + 1), merge(1, 2, tag/10 == 1), mpi_double_precision, list(k)%rank, tag, mpi_comm_world, ierr)
      end do
    end do
    call mpi_waitall(6, req, mpi_statuses_ignore, ierr)
    do k = 1, 2
      u(1:2) = u(1:2) + 0.1d0*list(k)%back*list(k)%leaves(k)%v + list(k)%few(2)**2*0.1d0
    end do
  end subroutine exchange_others
  subroutine prepare()
    integer :: k, ierr
    do k = 1, 2
      call mpi_recv_init(around(k)%from, 2, mpi_double_precision, around(k)%rank, 33 - k, mpi_comm_world, lasting(k), ierr)
      call mpi_send_init(around(k)%to, 2, mpi_double_precision, around(k)%rank, 30 + k, mpi_comm_world, lasting(2 + k), ierr)
    end do
  end subroutine prepare
  subroutine pass(u)
    real(8), intent(inout) :: u(:)
    integer :: k, ierr
    do k = 1, 2
      around(k)%to = sin(u(k:k + 1))
    end do
    call mpi_startall(4, lasting, ierr)
    call mpi_waitall(4, lasting, mpi_statuses_ignore, ierr)
    u(1:2) = u(1:2) + around(1)%from*around(2)%from
  end subroutine pass
end module exchange
module m
  use exchange
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: u(n + 4)
    integer :: step, i, k, ierr
    call meet(n)
    call prepare()
    u = 0
    u(1:n) = x
    !$ad checkpoint
    do step = 1, 5
      call exchange_halo(u)
      do i = 1, n
        u(i) = u(i) + 0.1d0*u(n + 1 + mod(i, 4))*u(i)
      end do
    end do
    call exchange_others(around(1:2), u)
    call pass(u)
    call pass(u)
    do k = 1, 4
      call mpi_request_free(lasting(k), ierr)
    end do
    y = u(1:n)
  end subroutine f
end module m
