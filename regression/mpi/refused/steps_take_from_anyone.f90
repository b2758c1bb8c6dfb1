! Steps that run again, in which messages are taken from whoever sends one.
! head: m::f(u)/(u)
! refused: C0409
module m
  use mpi
  implicit none
contains
  subroutine gathered(w, step, total)
    real(8), intent(in) :: w
    integer, intent(in) :: step
    real(8), intent(out) :: total
    real(8) :: r
    integer :: me, processes, k, ierr
    call mpi_comm_rank(MPI_COMM_WORLD, me, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, processes, ierr)
    do k = 1, processes - 1
      call mpi_send(w, 1, MPI_DOUBLE_PRECISION, mod(me + k, processes), step, MPI_COMM_WORLD, ierr)
    end do
    total = 0
    do k = 1, processes - 1
      call mpi_recv(r, 1, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      total = total + r**2
    end do
  end subroutine gathered

  subroutine f(u)
    real(8), intent(inout) :: u(3)
    real(8) :: w, total
    integer :: step
    !$ad checkpoint schedule(revolve) snapshots(2)
    do step = 1, 4
      w = u(1)*step
      call gathered(w, step, total)
      u = u*0.9d0 + 0.02d0*total*u(3:1:-1)
    end do
  end subroutine f
end module m
