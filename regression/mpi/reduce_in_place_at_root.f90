! A sum in place at the root, and another call of it elsewhere.
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
 ! in place reduce: textbook idiom
 real(8) :: s, dum
 call mpi_comm_rank(mpi_comm_world, rank, ierr)
 call mpi_comm_size(mpi_comm_world, np, ierr)
 s = sum(x**2)
 if (rank == 0) then
  call mpi_reduce(mpi_in_place, s, 1, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
  s = sqrt(s)
 else
  call mpi_reduce(s, dum, 1, mpi_double_precision, mpi_sum, 0, mpi_comm_world, ierr)
 end if
 call mpi_bcast(s, 1, mpi_double_precision, 0, mpi_comm_world, ierr)
 y = x/s
end subroutine
end module
