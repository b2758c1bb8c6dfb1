! hand-written adjoint of burgers: a snapshot for each block of about sqrt(nsteps) steps, whose states are kept as the
! block runs again; gather form
subroutine kernel_b(n, nsteps, u, ub, f, fb) bind(C, name="kernel_b")
  use iso_c_binding, only: c_int, c_double
  implicit none
  integer(c_int), intent(in)    :: n, nsteps
  real(c_double), intent(inout) :: u(n), ub(n), f, fb
  real(c_double), parameter :: c = 0.05d0, d = 0.2d0
  real(c_double), allocatable :: snapshot(:,:), state(:,:)
  real(c_double) :: w(n)
  integer :: block, blocks, first, it, length, steps
  length = max(1, nint(sqrt(real(nsteps))))
  blocks = (nsteps + length - 1)/length
  allocate(snapshot(n,blocks), state(n,length+1))
  state(:,1) = u
  do block = 1, blocks
    snapshot(:,block) = state(:,1)
    if (block < blocks) then
      do it = 1, length
        call step(state(:,it), state(:,it+1))
      end do
      state(:,1) = state(:,length+1)
    end if
  end do
  do block = blocks, 1, -1
    first = (block - 1)*length
    steps = min(length, nsteps - first)
    state(:,1) = snapshot(:,block)
    do it = 1, steps
      call step(state(:,it), state(:,it+1))
    end do
    if (block == blocks) then
      ub = ub + 2d0*fb*state(:,steps+1)
      fb = 0d0
    end if
    do it = steps, 1, -1
      call back(state(:,it))
    end do
  end do
contains
  subroutine step(from, to)
    real(c_double), intent(in)    :: from(n)
    real(c_double), intent(inout) :: to(n)
    integer :: i
    to(1) = from(1)
    do i = 2, n-1
      to(i) = from(i) - c*(from(i+1)**2 - from(i-1)**2) + d*(from(i+1) - 2d0*from(i) + from(i-1))
    end do
    to(n) = from(n)
  end subroutine
  subroutine back(x)
    real(c_double), intent(in) :: x(n)
    integer :: i
    w(1) = 0d0
    do i = 2, n-1
      w(i) = ub(i)
    end do
    w(n) = 0d0
    do i = 2, n-1
      ub(i) = (1d0 - 2d0*d)*w(i) + (d - 2d0*c*x(i))*w(i-1) + (d + 2d0*c*x(i))*w(i+1)
    end do
    ub(1) = ub(1) + (d + 2d0*c*x(1))*w(2)
    ub(n) = ub(n) + (d - 2d0*c*x(n))*w(n-1)
  end subroutine
end subroutine
