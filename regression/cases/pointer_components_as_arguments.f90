! head: m::blocks(y)/(x)
! head: m::buffers(y)/(x)
! pointer components that have memory of their own: they are allocated, and nothing leads elsewhere but swapped buffers
module m
  implicit none
  type block_of_grid
    real(8), pointer :: u(:), v(:)
  end type block_of_grid
  type state
    real(8), pointer :: now(:), new(:)
  end type state
contains
  subroutine adv(u, v)
    real(8), intent(in) :: u(:)
    real(8), intent(inout) :: v(:)
    v = v + u + 0.1d0*cshift(u, 1)*u*v
  end subroutine adv

  subroutine blocks(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    type(block_of_grid), pointer :: grid
    type(block_of_grid) :: b(3)
    integer :: i
    allocate(grid)
    allocate(grid%u(4), grid%v(4))
    grid%v = 2
    do i = 1, 3
      allocate(b(i)%u(4), b(i)%v(4))
      b(i)%u = 1.5d0
      b(i)%v = 0.3d0
    end do
    grid%u = x
    call adv(grid%u, grid%v)
    b(1)%u = x
    call adv(b(1)%u, b(2)%u)
    do i = 1, 3
      call adv(b(i)%u, b(i)%v)
    end do
    y = grid%v*b(2)%u*b(1)%v
  end subroutine blocks

  subroutine step(s)
    type(state), intent(inout) :: s
    real(8), pointer :: t(:)
    call adv(s%now, s%new)
    t => s%now
    s%now => s%new
    s%new => t
  end subroutine step

  subroutine buffers(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    type(state) :: s
    integer :: i
    allocate(s%now(4), s%new(4))
    s%now = x
    s%new = 0.1d0
    do i = 1, 5
      call step(s)
    end do
    y = s%now
    deallocate(s%now, s%new)
  end subroutine buffers
end module m
