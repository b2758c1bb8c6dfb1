! Messages in regions of OpenMP: of the first thread, of one thread, in a section, in critical and ordered statements; and of
! integers in a region without derivatives.
! head: m::f(y)/(x)
! size: n=4
! processes: 3
module m
  use mpi
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), asynchronous :: a(n), b(n)
    real(8) :: c(n), s, t
    integer :: me, np, ierr, i, q(2), k, to, from
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    to = modulo(me + 1, np); from = modulo(me - 1, np)
    s = 0; k = me + 1
    !$omp parallel private(i)
    !$omp do reduction(+:s)
    do i = 1, n
      a(i) = x(i)**2
      s = s + a(i)
    end do
    !$omp master
    call mpi_irecv(b, n, mpi_double_precision, from, 1, mpi_comm_world, q(1), ierr)
    call mpi_isend(a, n, mpi_double_precision, to, 1, mpi_comm_world, q(2), ierr)
    !$omp end master
    !$omp barrier
    !$omp do
    do i = 1, n
      c(i) = x(i)*a(i)
    end do
    !$omp single
    call mpi_waitall(2, q, mpi_statuses_ignore, ierr)
    !$omp end single
    !$omp do
    do i = 1, n
      y(i) = c(i)*b(i)
    end do
    !$omp end parallel
    !$omp parallel private(ierr)
    !$omp master
    call mpi_sendrecv_replace(k, 1, mpi_integer, to, 2, from, 2, mpi_comm_world, mpi_status_ignore, ierr)
    !$omp end master
    !$omp end parallel
    !$omp parallel sections
    !$omp section
    call mpi_allreduce(s, t, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
    !$omp section
    c = c + k*x
    !$omp end parallel sections
    !$omp parallel do private(ierr) ordered
    do i = 1, n
      !$omp ordered
      call mpi_sendrecv(c(i), 1, mpi_double_precision, to, i, b(i), 1, mpi_double_precision, from, i, mpi_comm_world, &
        mpi_status_ignore, ierr)
      !$omp end ordered
      y(i) = y(i) + t*b(i)
    end do
  end subroutine
end module
