! mpif.h in a module, whose users know its constants from there.
! head: m::f(y)/(x)
! size: n=4
! processes: 3
module par
  implicit none
  include 'mpif.h'
  integer :: comm = MPI_COMM_WORLD
contains
  subroutine total(a, b)
    real(8), intent(in) :: a
    real(8), intent(out) :: b
    integer :: ierr
    call mpi_allreduce(a, b, 1, MPI_DOUBLE_PRECISION, MPI_SUM, comm, ierr)
  end subroutine total
end module par
module m
  use par
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: s
    integer :: ierr, root
    s = sum(x**2)
    call total(s, y)
    root = 0
    call mpi_bcast(y, 1, MPI_DOUBLE_PRECISION, root, MPI_COMM_WORLD, ierr)
    y = y**2
  end subroutine f
end module m
