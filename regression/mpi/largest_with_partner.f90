! MPI_MAXLOC of pairs of reals, both of which carry derivatives.
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
 real(8) :: a(2), s(2)
 a(1) = x(1); a(2) = x(2)
 call mpi_allreduce(a, s, 1, mpi_2double_precision, mpi_maxloc, mpi_comm_world, ierr)
 y = x*s(1)*s(2)
end subroutine
end module
