! Exchanges that one procedure begins and another completes, where the first has bounds of its own for what it is passed: from 0 for
! an assumed shape, a column, and an element that a column starts with.
! head: m::f(y)/(x)
! size: n=4
! processes: 1 3
module halo
  use mpi
  implicit none
  integer :: rq(4)
contains
  subroutine post(b, tag)
    real(8), intent(inout), contiguous :: b(0:)
    integer, intent(in) :: tag
    integer :: me, np, n, ierr
    n = ubound(b, 1) - 1
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    call mpi_irecv(b(0), 1, mpi_double_precision, modulo(me - 1, np), tag, mpi_comm_world, rq(1), ierr)
    call mpi_irecv(b(n+1), 1, mpi_double_precision, modulo(me + 1, np), tag + 1, mpi_comm_world, rq(2), ierr)
    call mpi_isend(b(n), 1, mpi_double_precision, modulo(me + 1, np), tag, mpi_comm_world, rq(3), ierr)
    call mpi_isend(b(1), 1, mpi_double_precision, modulo(me - 1, np), tag + 1, mpi_comm_world, rq(4), ierr)
  end subroutine
  subroutine post_explicit(n, b, rq)
    integer, intent(in) :: n
    real(8), intent(inout) :: b(0:n+1)
    integer, intent(out) :: rq(2)
    integer :: me, np, ierr
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    call mpi_irecv(b(0), 1, mpi_double_precision, modulo(me - 1, np), 5, mpi_comm_world, rq(1), ierr)
    call mpi_isend(b(n), 1, mpi_double_precision, modulo(me + 1, np), 5, mpi_comm_world, rq(2), ierr)
  end subroutine
  subroutine post_plane(n, k, c, d, rq)
    integer, intent(in) :: n, k
    real(8), intent(inout) :: c(0:n-1, -1:0), d(k:)
    integer, intent(out) :: rq(2)
    integer :: me, np, ierr
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    c(:, 0) = 0
    c = 1.5d0*c
    c(1:, -1) = c(1:, -1)*c(0:n-2, -1)
    d(k) = d(k)*size(c)/lbound(d, 1) + sum(d(k+1:))
    call mpi_irecv(c(0, 0), n, mpi_double_precision, modulo(me - 1, np), 5, mpi_comm_world, rq(1), ierr)
    call mpi_isend(c(0, -1), n, mpi_double_precision, modulo(me + 1, np), 5, mpi_comm_world, rq(2), ierr)
  end subroutine
  subroutine complete(n, rq)
    integer, intent(in) :: n
    integer, intent(inout) :: rq(n)
    integer :: ierr
    call mpi_waitall(n, rq, mpi_statuses_ignore, ierr)
  end subroutine
end module
module m
  use halo
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: u(-1:n), w(0:n+1, 2), v(n), c(n, 4:5)
    integer :: own(2), k
    u = 0
    w = 0
    u(0:n-1) = x
    w(1:n, 1) = x**2
    w(1:n, 2) = sin(x)
    do k = 1, 2
      call post(u, 1)
      v = x*u(0:n-1)
      call complete(4, rq)
      u(0:n-1) = u(0:n-1) + 0.1d0*u(-1:n-2)*u(1:n)
      call post(w(:, 1), 3)
      v = v + w(1:n, 1)
      call complete(4, rq)
      w(1:n, 1) = w(1:n, 1)*w(0:n-1, 1) + 0.2d0*w(2:n+1, 1) + v
      call post_explicit(n, w(0, 2), own)
      v = v*0.5d0
      call complete(2, own)
      w(1:n, 2) = w(1:n, 2)*(1 + v*w(0:n-1, 2))
      c(:, 4) = v + w(1:n, 1)
      call post_plane(n, -2, c, u, own)
      w(:, 1) = w(:, 1)*1.01d0
      call complete(2, own)
      w(1:n, 1) = w(1:n, 1) + 0.01d0*c(:, 4)*c(:, 5)
    end do
    y = sum(u(0:n-1)**2) + sum(w(1:n, :)**2)
  end subroutine
end module
