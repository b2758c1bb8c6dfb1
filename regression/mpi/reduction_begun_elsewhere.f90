! Reductions that one procedure begins and another waits for, with work between: scalars that a compiler may keep in registers.
! head: m::f(y)/(x)
! size: n=5
! processes: 3
module m
  use mpi
  implicit none
contains
  subroutine begin_sum(own, all, request)
    real(8), intent(in), asynchronous :: own
    real(8), intent(inout), asynchronous :: all
    integer, intent(out) :: request
    integer :: ierr
    call mpi_iallreduce(own, all, 1, mpi_double_precision, mpi_sum, mpi_comm_world, request, ierr)
  end subroutine
  subroutine end_sum(request)
    integer, intent(inout) :: request
    integer :: ierr
    call mpi_wait(request, mpi_status_ignore, ierr)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8), asynchronous :: own, all
    integer :: request, k
    y = x
    own = sum(y**2)
    call begin_sum(own, all, request)
    do k = 1, 3
      y = y + 0.1d0*sin(y)
      call end_sum(request)
      y = y/(1 + 0.1d0*all)
      own = sum(y**2)
      call begin_sum(own, all, request)
    end do
    call end_sum(request)
    y = y*all
  end subroutine
end module
