! A broadcast and a sum at the root.
! head: m::f(y)/(x)
! size: n=5
! processes: 3
module m
  use mpi
  implicit none
contains
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: w(n)
    integer :: ierr
    w = x**2
    call MPI_Bcast(w,n,MPI_DOUBLE_PRECISION,0,MPI_COMM_WORLD,ierr)
    call MPI_Reduce(w,y,n,MPI_DOUBLE_PRECISION,MPI_SUM,0,MPI_COMM_WORLD,ierr)
    y = y*w
  end subroutine f
end module m
