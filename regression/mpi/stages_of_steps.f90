! Steps with stages, each with an exchange, in a time loop without a count: halves of adjoints use arrays as their calls leave them, and
! values from before come back after them.
! head: m::f(y)/(x)
! size: n=4
! processes: 2
module m
  use mpi
  implicit none
  real(8), allocatable :: sl(:), rl(:)
  real(8), allocatable :: v(:), u(:), w(:)
contains
  subroutine halo(q, k)
    integer, intent(in) :: k
    real(8), intent(inout) :: q(0:k+1)
    integer :: me, np, ierr, req(2)
    call mpi_comm_rank(mpi_comm_world, me, ierr)
    call mpi_comm_size(mpi_comm_world, np, ierr)
    if (np == 1) then
      q(0) = q(k)
      q(k+1) = q(1)
      return
    end if
    call mpi_irecv(rl, 1, mpi_real8, modulo(me-1, np), 0, mpi_comm_world, req(1), ierr)
    sl(1) = q(k)
    call mpi_isend(sl, 1, mpi_real8, modulo(me+1, np), 0, mpi_comm_world, req(2), ierr)
    call mpi_waitall(2, req, mpi_statuses_ignore, ierr)
    q(0) = rl(1)
    q(k+1) = q(1)*rl(1)
  end subroutine
  subroutine tend(q, w, k)
    integer, intent(in) :: k
    real(8), intent(in) :: q(0:k+1)
    real(8), intent(out) :: w(k)
    integer :: i
    do i = 1, k
      w(i) = q(i-1)*q(i+1) - q(i)**2
    end do
  end subroutine
  subroutine step(v, u, k, dt, w)
    integer, intent(in) :: k
    real(8), intent(inout) :: v(0:k+1)
    real(8), intent(out) :: u(0:k+1), w(k)
    real(8), intent(in) :: dt
    integer :: i
    call halo(v, k)
    call tend(v, w, k)
    do i = 1, k
      u(i) = v(i) + dt/3*w(i)
    end do
    call halo(u, k)
    call tend(u, w, k)
    do i = 1, k
      u(i) = v(i) + dt/2*w(i)
    end do
    call halo(u, k)
    call tend(u, w, k)
    do i = 1, k
      v(i) = v(i) + dt*w(i)
    end do
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: t, dt
    allocate(v(0:n+1), u(0:n+1), w(n), sl(1), rl(1))
    v = 0
    u = 0
    v(1:n) = x
    t = 0
    dt = 0.1d0
    do while (t < 0.35d0)
      if (t + dt > 0.35d0) dt = 0.35d0 - t
      call step(v, u, n, dt, w)
      t = t + dt
    end do
    y = sum(v(1:n)**2)
    deallocate(v, u, w, sl, rl)
  end subroutine
end module
