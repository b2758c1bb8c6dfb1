! A broadcast by one call at the root and by another elsewhere, where nothing else is varied.
! head: m::f(y)/(x)
! size: n=5
! processes: 3
module m
use mpi
implicit none
contains
subroutine f(n, x, y)
 integer, intent(in) :: n
 real(8), intent(in) :: x(n)
 real(8), intent(out) :: y(n)
 integer :: ierr, rank, np
 ! h12 without the initialisation and with plain scalar
 real(8) :: w
 call mpi_comm_rank(mpi_comm_world, rank, ierr)
 call mpi_comm_size(mpi_comm_world, np, ierr)
 if (rank == 0) then
  w = x(1)**2
  call mpi_bcast(w, 1, mpi_double_precision, 0, mpi_comm_world, ierr)
  y = x
 else
  call mpi_bcast(w, 1, mpi_double_precision, 0, mpi_comm_world, ierr)
  y = w*x
 end if
end subroutine
end module
