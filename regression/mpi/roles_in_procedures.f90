! Master and workers are procedures that meet in collective calls.
! head: m::f(y)/(x)
! size: n=5
! processes: 3
module m
use mpi
implicit none
contains
! master / worker in module procedures, bcast and reduce at different sites
subroutine master(n, x, y)
 integer, intent(in) :: n
 real(8), intent(in) :: x(n)
 real(8), intent(out) :: y(n)
 real(8) :: p(2), res, none
 integer :: ierr
 p = x(1:2)**2
 call mpi_bcast(p, 2, mpi_double_precision, 0, mpi_comm_world, ierr)
 none = 0
 call mpi_reduce(none, res, 1, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
 y = res*x
end subroutine
subroutine worker(n, x)
 integer, intent(in) :: n
 real(8), intent(in) :: x(n)
 real(8) :: p(2), res, none
 integer :: ierr
 call mpi_bcast(p, 2, mpi_double_precision, 0, mpi_comm_world, ierr)
 res = p(1)*x(1) + p(2)*x(2)**2
 call mpi_reduce(res, none, 1, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
end subroutine
subroutine f(n, x, y)
 integer, intent(in) :: n
 real(8), intent(in) :: x(n)
 real(8), intent(out) :: y(n)
 integer :: ierr, rank
 call mpi_comm_rank(mpi_comm_world, rank, ierr)
 if (rank == 0) then
  call master(n, x, y)
 else
  call worker(n, x)
  y = x
 end if
end subroutine
end module
