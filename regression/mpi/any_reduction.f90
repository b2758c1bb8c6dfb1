! Reductions that are waited for as they complete.
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
    real(8), asynchronous :: own(3), all(3)
    integer :: q(3), which(3), number, done, k, i, ierr
    own = [sum(x), maxval(x), product(x)]
    all = 0
    call mpi_iallreduce(own(1), all(1), 1, mpi_double_precision, mpi_sum, mpi_comm_world, q(1), ierr)
    call mpi_iallreduce(own(2), all(2), 1, mpi_double_precision, mpi_min, mpi_comm_world, q(2), ierr)
    call mpi_iallreduce(own(3), all(3), 1, mpi_double_precision, mpi_prod, mpi_comm_world, q(3), ierr)
    y = 0
    call mpi_waitany(3, q, k, mpi_status_ignore, ierr)
    y = y + k*x*all(k)
    done = 1
    do while (done < 3)
      call mpi_testsome(3, q, number, which, mpi_statuses_ignore, ierr)
      do i = 1, number
        y = y + which(i)*x*all(which(i))
      end do
      done = done + number
    end do
  end subroutine
end module
