! Values of double precision by messages of single precision.
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
    integer :: me, np, ierr
    real(4) :: a(n), b(n)
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    a = real(x, 4)
    call mpi_sendrecv(a, n, mpi_real, modulo(me+1,np), 1, b, n, mpi_real, modulo(me-1,np), 1, &
      mpi_comm_world, mpi_status_ignore, ierr)
    y = b*x
  end subroutine
end module
