! Steps that pass messages, in loops of which nobody knows how often they run: with a time step from a reduction, a relaxation until
! all processes agree, and both in each other.
! head: m::f(y)/(x)
! head: m::g(y)/(x)
! size: n=4
! processes: 1 3
module m
  use mpi
  implicit none
  real(8), parameter :: tend = 0.3d0
  real(8) :: t = 0d0
contains
  subroutine neighbours(left, right)
    integer, intent(out) :: left, right
    integer :: ierr, me, np
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    left = modulo(me-1, np)
    right = modulo(me+1, np)
  end subroutine
  subroutine halos(v, k)
    integer, intent(in) :: k
    real(8), intent(inout) :: v(0:k+1)
    integer :: ierr, left, right, req(4)
    call neighbours(left, right)
    call mpi_irecv(v(0), 1, mpi_double_precision, left, 1, mpi_comm_world, req(1), ierr)
    call mpi_irecv(v(k+1), 1, mpi_double_precision, right, 2, mpi_comm_world, req(2), ierr)
    call mpi_isend(v(k), 1, mpi_double_precision, right, 1, mpi_comm_world, req(3), ierr)
    call mpi_isend(v(1), 1, mpi_double_precision, left, 2, mpi_comm_world, req(4), ierr)
    call mpi_waitall(4, req, mpi_statuses_ignore, ierr)
  end subroutine
  ! The number of sweeps depends on what all processes have.
  subroutine relax(v, k, tol)
    integer, intent(in) :: k
    real(8), intent(inout) :: v(0:k+1)
    real(8), intent(in) :: tol
    real(8) :: w(k), own, all
    integer :: ierr
    all = 2*tol
    do while (all > tol)
      call halos(v, k)
      w = v(1:k)
      v(1:k) = 0.5d0*sin(v(1:k)) + 0.2d0*v(0:k-1)*v(2:k+1)
      own = maxval(abs(v(1:k) - w))
      call mpi_allreduce(own, all, 1, mpi_double_precision, mpi_max, mpi_comm_world, ierr)
    end do
  end subroutine
  subroutine step(v, k, dt, largest)
    integer, intent(in) :: k
    real(8), intent(inout) :: v(0:k+1)
    real(8), intent(in) :: dt
    real(8), intent(out) :: largest
    real(8) :: w(k), own
    integer :: i, ierr
    call halos(v, k)
    do i = 1, k
      w(i) = v(i) + dt*(v(i-1) - 2*v(i)**3 + v(i+1))
    end do
    v(1:k) = sin(w)
    own = maxval(abs(v(1:k)))
    call mpi_allreduce(own, largest, 1, mpi_double_precision, mpi_max, mpi_comm_world, ierr)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: v(0:n+1), largest, dt
    v = 0
    v(1:n) = x
    t = 0
    largest = 1
    do while (t < tend)
      dt = 0.1d0/(1 + largest)
      if (t + dt > tend) dt = tend - t
      call step(v, n, dt, largest)
      t = t + dt
    end do
    y = v(1:n)
  end subroutine
  subroutine g(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    real(8) :: v(0:n+1), largest
    integer :: k
    v = 0
    v(1:n) = x
    t = 0
    k = 0
    do
      k = k + 1
      call relax(v, n, 0.2d0)
      call step(v, n, 0.1d0, largest)
      t = t + 0.1d0*largest
      if (t > tend .or. k > 4) exit
    end do
    y = v(1:n)*t
  end subroutine
end module
