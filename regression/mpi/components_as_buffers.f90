! Components as buffers: arrays inside the object and of its own memory, parts of them, and columns and rows by datatypes; as many
! elements as a variable says, of a common block's variable, too.
! head: m::f(y)/(x)
! size: n=5
! processes: 2
module m
  use mpi
  implicit none
  integer, parameter :: k = 3
  type grid
    real(8), allocatable :: u(:, :)
    real(8), pointer :: w(:) => null()
    real(8) :: a(0:k), b(2, 2), s
  end type
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(grid) :: g(2), h
    integer :: me, np, row, ierr, to, from, i, m
    real(8) :: c(k), d(2)
    common /shared/ c, d
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    to = modulo(me + 1, np)
    from = modulo(me - 1, np)
    call mpi_type_vector(n, 1, n, mpi_double_precision, row, ierr)
    call mpi_type_commit(row, ierr)
    allocate (g(2)%u(n, n), h%u(n, n), h%w(n))
    do i = 1, n
      g(2)%u(:, i) = sin(x)*i
    end do
    h%u = 1
    h%w = x
    g(2)%a = [x(1), x(2)**2, 2*x(3), x(1)*x(2)]
    g(2)%b = 1 + x(1)
    g(2)%s = x(2)**2
    h%a = x(3)
    h%b = x(2)
    h%s = x(1)
    call mpi_sendrecv(g(2)%u(2, 1), 1, row, to, 1, h%u(3, 1), 1, row, from, 1, mpi_comm_world, mpi_status_ignore, ierr)
    call mpi_sendrecv(g(2)%u(1, 2), n, mpi_double_precision, to, 2, h%w(1), n, mpi_double_precision, from, 2, &
      mpi_comm_world, mpi_status_ignore, ierr)
    m = min(n, k)
    call mpi_sendrecv(g(2)%a(m-2), m, mpi_double_precision, to, 3, h%a(0), m, mpi_double_precision, from, 3, &
      mpi_comm_world, mpi_status_ignore, ierr)
    call mpi_sendrecv(g(2)%b, 4, mpi_double_precision, to, 4, h%b, size(h%b), mpi_double_precision, from, 4, &
      mpi_comm_world, mpi_status_ignore, ierr)
    call mpi_sendrecv(g(2)%s, 1, mpi_double_precision, to, 5, h%s, 1, mpi_double_precision, from, 5, &
      mpi_comm_world, mpi_status_ignore, ierr)
    call mpi_bcast(h%b(:, 2), 2, mpi_double_precision, 0, mpi_comm_world, ierr)
    c = h%s
    d = x(1:2)
    call mpi_bcast(c(2), m-1, mpi_double_precision, 0, mpi_comm_world, ierr)
    call mpi_type_free(row, ierr)
    do i = 1, n
      y(i) = sum(h%u(:, i)**2) + h%w(i)*x(i) + sum(h%a) + h%b(1, 2)*h%b(2, 1) + h%s*c(2)*c(1)*d(2)
    end do
    deallocate (h%w)
  end subroutine
end module
