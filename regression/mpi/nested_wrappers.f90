! Procedures around calls of MPI outside of modules, which call each other: operations by name, a function, exchanges with errors
! looked at, and parameters at addresses in a procedure that is said to have no part in the derivative.
! head: f(y)/(x)
! size: n=4
! processes: 3
module parameters
  use mpi
  implicit none
  real(8) :: rate = 0, other = 0
contains
  subroutine share()
    !$ad external inactive
    integer :: both, me, ierr
    integer(mpi_address_kind) :: at(2)
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    if (me == 0) then
      rate = 0.1d0
      other = 0.5d0
    end if
    call mpi_get_address(rate, at(1), ierr)
    call mpi_get_address(other, at(2), ierr)
    call mpi_type_create_hindexed(2, [1, 1], at, mpi_double_precision, both, ierr)
    call mpi_type_commit(both, ierr)
    call mpi_bcast(mpi_bottom, 1, both, 0, mpi_comm_world, ierr)
    call mpi_type_free(both, ierr)
  end subroutine share
end module parameters
subroutine look(ierr, where)
  use mpi
  implicit none
  integer, intent(in) :: ierr
  character(*), intent(in) :: where
  integer :: failure
  if (ierr /= mpi_success) then
    write (*, *) 'error in ', where
    call mpi_abort(mpi_comm_world, 1, failure)
  end if
end subroutine look
subroutine operate(x, w, op, n)
  implicit none
  include 'mpif.h'
  integer :: n, i, ierr
  real(8) :: x(n), w(n)
  character(3) :: op
  external look
  if (op == '+  ') then
    call mpi_allreduce(x, w, n, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
  else if (op == 'M  ') then
    call mpi_allreduce(x, w, n, mpi_double_precision, mpi_max, mpi_comm_world, ierr)
  end if
  call look(ierr, 'operate')
  do i = 1, n
    x(i) = w(i)
  end do
end subroutine operate
real(8) function product_of_all(a, b, n)
  implicit none
  integer :: n, i
  real(8) :: a(n), b(n), total(1), work(1)
  total(1) = 0
  do i = 1, n
    total(1) = total(1) + a(i)*b(i)
  end do
  call operate(total, work, '+  ', 1)
  product_of_all = total(1)
end function product_of_all
subroutine ring(a, n)
  use mpi
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  integer :: ierr, me, np, st(mpi_status_size)
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  if (np == 1) return
  call mpi_sendrecv_replace(a, n, mpi_double_precision, mod(me + 1, np), 1, mod(me - 1 + np, np), 1, mpi_comm_world, st, ierr)
  call look(ierr, 'ring')
end subroutine ring
subroutine advance(u, n, rate)
  implicit none
  integer :: n
  real(8) :: u(n), rate, largest(1), work(1), product_of_all, s
  s = product_of_all(u, u, n)
  largest(1) = maxval(u)
  call operate(largest, work, 'M  ', 1)
  u = u + rate*largest(1)/(1 + s)
  call ring(u, n)
end subroutine advance
subroutine f(n, x, y)
  use parameters
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(n)
  integer :: step
  call share()
  y = x
  do step = 1, 3
    call advance(y, n, rate)
    y = y*x + other
  end do
end subroutine f
