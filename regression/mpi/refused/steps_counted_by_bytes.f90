! Steps that run again as often as the memory of a process asks for, which differs from process to process.
! head: m::f(e)/(x)
! refused: C0409
module m
  use mpi
  implicit none
contains
  subroutine f(x, e)
    real(8), intent(in) :: x(8)
    real(8), intent(out) :: e
    real(8), allocatable :: w(:)
    real(8) :: h
    integer :: me, processes, ierr, step, n
    call mpi_comm_rank(MPI_COMM_WORLD, me, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, processes, ierr)
    n = 8 + 8*me
    allocate (w(n))
    w = 0.3d0
    w(1:8) = x
    e = 0
    !$ad checkpoint schedule(dynamic) memory(800)
    do step = 1, 12
      call mpi_sendrecv(w(n), 1, MPI_DOUBLE_PRECISION, mod(me + 1, processes), 1, h, 1, MPI_DOUBLE_PRECISION, &
          mod(me + processes - 1, processes), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      w(2:) = w(2:) + 0.05d0*w(:n - 1)*w(2:)
      w(1) = w(1) + 0.05d0*h*w(1)
      e = e + w(n/2)**2
    end do
  end subroutine f
end module m
