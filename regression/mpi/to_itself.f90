! Messages of a process to itself.
! head: m::f(y)/(x)
! size: n=5
! processes: 1
module m
  use mpi
  implicit none
contains
  subroutine f(n,x,y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: w(n)
    integer :: ierr, req(2), st(MPI_STATUS_SIZE,2)
    w = x**2
    y = 0d0
    call MPI_Irecv(y,n,MPI_DOUBLE_PRECISION,0,1,MPI_COMM_WORLD,req(1),ierr)
    call MPI_Isend(w,n,MPI_DOUBLE_PRECISION,0,1,MPI_COMM_WORLD,req(2),ierr)
    call MPI_Waitall(2,req,st,ierr)
    y = y*x
  end subroutine f
end module m
