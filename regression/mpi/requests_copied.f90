! Requests that are copied before they are waited for: appended to lists by procedures and methods, returned by functions, joined
! in arrays, kept in copies of objects and under pointers.
! head: ring::f(y)/(x)
! processes: 1 3
module pools
  use mpi
  implicit none
  type pool
    integer :: n = 0
    integer :: requests(8) = mpi_request_null
  contains
    procedure :: add
    procedure :: wait => wait_for_all
  end type
  type task
    integer :: request, step
  end type
  integer :: shared_list(8), in_list = 0
contains
  subroutine add(self, request)
    class(pool), intent(inout) :: self
    integer, intent(in) :: request
    self%n = self%n + 1
    self%requests(self%n) = request
  end subroutine
  subroutine wait_for_all(self)
    class(pool), intent(inout) :: self
    integer :: ierr
    call mpi_waitall(self%n, self%requests, mpi_statuses_ignore, ierr)
    self%n = 0
  end subroutine
  subroutine append(request)
    integer, intent(in) :: request
    in_list = in_list + 1
    shared_list(in_list) = request
  end subroutine
  subroutine finish()
    integer :: ierr
    if (in_list > 0) call mpi_waitall(in_list, shared_list, mpi_statuses_ignore, ierr)
    in_list = 0
  end subroutine
  integer function begin_receive(u, from, tag) result(request)
    real(8), intent(inout) :: u
    integer, intent(in) :: from, tag
    integer :: ierr
    call mpi_irecv(u, 1, mpi_double_precision, from, tag, mpi_comm_world, request, ierr)
  end function
  integer function begin_send(u, to, tag) result(request)
    real(8), intent(in) :: u
    integer, intent(in) :: to, tag
    integer :: ierr
    call mpi_isend(u, 1, mpi_double_precision, to, tag, mpi_comm_world, request, ierr)
  end function
end module
module ring
  use mpi
  use pools
  implicit none
  integer, parameter :: n = 5
  integer, target :: kept(6)
contains
  subroutine in_pool(u, left, right)
    real(8), intent(inout) :: u(0:n+1)
    integer, intent(in) :: left, right
    type(pool) :: all
    integer :: request, ierr
    call mpi_irecv(u(0), 1, mpi_double_precision, left, 1, mpi_comm_world, request, ierr)
    call all%add(request)
    call mpi_irecv(u(n+1), 1, mpi_double_precision, right, 2, mpi_comm_world, request, ierr)
    call all%add(request)
    call mpi_isend(u(1), 1, mpi_double_precision, left, 2, mpi_comm_world, request, ierr)
    call all%add(request)
    call mpi_isend(u(n), 1, mpi_double_precision, right, 1, mpi_comm_world, request, ierr)
    call all%add(request)
    call all%wait()
  end subroutine
  subroutine in_list_of_module(u, left, right)
    real(8), intent(inout) :: u(0:n+1)
    integer, intent(in) :: left, right
    integer :: request, ierr
    call mpi_irecv(u(0), 1, mpi_double_precision, left, 1, mpi_comm_world, request, ierr)
    call append(request)
    call mpi_isend(u(n), 1, mpi_double_precision, right, 1, mpi_comm_world, request, ierr)
    call append(request)
    call finish()
  end subroutine
  subroutine by_functions(u, left, right)
    real(8), intent(inout) :: u(0:n+1)
    integer, intent(in) :: left, right
    integer :: received, sent(2), all(4), ierr
    received = begin_receive(u(0), left, 1)
    sent(1) = begin_send(u(n), right, 1)
    sent(2) = begin_send(u(1), left, 2)
    all = [begin_receive(u(n+1), right, 2), received, sent]
    call mpi_waitall(4, all, mpi_statuses_ignore, ierr)
  end subroutine
  subroutine in_objects(u, left, right)
    real(8), intent(inout) :: u(0:n+1)
    integer, intent(in) :: left, right
    type(task) :: one, list(2)
    integer, pointer :: tail(:)
    integer :: k, ierr
    one%step = 1
    call mpi_irecv(u(n+1), 1, mpi_double_precision, right, 3, mpi_comm_world, one%request, ierr)
    list(2) = one
    call mpi_isend(u(1), 1, mpi_double_precision, left, 3, mpi_comm_world, one%request, ierr)
    list(1) = one
    do k = 1, 2
      call mpi_wait(list(k)%request, mpi_status_ignore, ierr)
    end do
    tail => kept(3:)
    call mpi_irecv(u(0), 1, mpi_double_precision, left, 4, mpi_comm_world, kept(3), ierr)
    call mpi_isend(u(n), 1, mpi_double_precision, right, 4, mpi_comm_world, kept(4), ierr)
    call mpi_waitall(2, tail, mpi_statuses_ignore, ierr)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: u(0:n+1)
    integer :: rank, ranks, left, right, ierr, k, i
    call mpi_comm_rank(mpi_comm_world, rank, ierr)
    call mpi_comm_size(mpi_comm_world, ranks, ierr)
    left = modulo(rank - 1, ranks)
    right = modulo(rank + 1, ranks)
    u = 0.5d0
    u(1:n) = x
    do k = 1, 4
      select case (k)
      case (1)
        call in_pool(u, left, right)
      case (2)
        call in_list_of_module(u, left, right)
      case (3)
        call by_functions(u, left, right)
      case default
        call in_objects(u, left, right)
      end select
      do i = n, 1, -1
        u(i) = u(i) + 0.1d0*u(i)*u(i-1) - 0.05d0*u(i+1)**2
      end do
    end do
    y = u(1:n)
  end subroutine
end module
