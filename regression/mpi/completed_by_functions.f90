! Functions complete messages that others have begun: in the condition of a loop, among operands, and behind an `else if`.
! head: m::f(y)/(x)
! size: n=3
! processes: 2
module m
  use mpi
  implicit none
contains
  logical function over(q)
    integer, intent(inout) :: q(2)
    integer :: ierr
    call mpi_testall(2, q, over, mpi_statuses_ignore, ierr)
  end function
  integer function left(q)
    integer, intent(inout) :: q(2)
    logical :: done
    integer :: ierr, j
    left = 0
    do j = 1, 2
      call mpi_test(q(j), done, mpi_status_ignore, ierr)
      if (.not. done) left = left + 1
    end do
  end function
  function later(q, k) result(done)
    integer, intent(inout) :: q(2), k
    logical :: done
    integer :: ierr
    k = k + 1
    done = .false.
    if (k < 3) return
    call mpi_testall(2, q, done, mpi_statuses_ignore, ierr)
  end function
  subroutine finish(q)
    integer, intent(inout) :: q(2)
    do while (.not. over(q))
    end do
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: me, np, ierr, i, k, q(2)
    real(8) :: z(n), w
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    y = x
    w = x(1)
    do i = 1, 4
      z = y*w
      call mpi_irecv(y, n, mpi_double_precision, modulo(me - 1, np), i, mpi_comm_world, q(1), ierr)
      call mpi_isend(z, n, mpi_double_precision, modulo(me + 1, np), i, mpi_comm_world, q(2), ierr)
      k = 0
      if (i == 1) then
        do while (.not. over(q))
        end do
      else if (i == 2) then
        call finish(q)
      else if (i == 3) then
        do
          if (n + left(q) == n .and. n > 0) exit
        end do
      else
        rounds: do
          if (k < 0) then
            w = 2*w
          else if (later(q, k)) then
            w = w*sin(w)
            exit rounds
          else
            if (k < 3) w = w*cos(w + k)
          end if
        end do rounds
      end if
      y = y*x + w
    end do
  end subroutine
end module
