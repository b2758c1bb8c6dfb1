! head: alone::f(y)/(x)
! head: lists::f(y)/(x)
! components that a call leaves alone while it gives other components memory
module alone
  implicit none
  type particle
    real(8) :: place, speed
    integer, allocatable :: near(:)
  end type particle
contains
  subroutine push(p, f)
    type(particle), intent(inout) :: p(:)
    real(8), intent(out) :: f
    f = p(1)%place**2
    p(1)%near = [size(p), 1]
    if (allocated(p(2)%near)) deallocate(p(2)%near)
  end subroutine push

  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    type(particle) :: p(2)
    real(8) :: force
    integer :: k
    p%place = x(1:2)
    p%speed = x(3:4)
    allocate(p(2)%near(3))
    y = 0
    do k = 1, 3
      call push(p, force)
      y = y + force*p(2)%speed*size(p(1)%near)
      p%speed = p%speed*(1 + 0.1d0*force)
    end do
  end subroutine f
end module alone

module lists
  implicit none
  type cell
    real(8) :: mass = 1
    real(8), allocatable :: flux(:)
    integer, allocatable :: faces(:)
  end type cell
  type grid
    type(cell), allocatable :: cells(:)
    real(8) :: area = 1
  end type grid
contains
  ! The faces get memory, the fluxes and the masses are left alone.
  subroutine number(g)
    type(grid), intent(inout) :: g
    integer :: i
    do i = 1, size(g%cells)
      g%cells(i)%faces = [i, i+1]
    end do
  end subroutine number

  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    type(grid) :: g
    integer :: i
    allocate(g%cells(2))
    g%area = x(4)
    do i = 1, 2
      g%cells(i)%mass = x(i)
      g%cells(i)%flux = x(1:i+1)*x(3)
    end do
    call number(g)
    y = g%area
    do i = 1, 2
      y = y + g%cells(i)%mass**2*sum(g%cells(i)%flux)*g%cells(i)%faces(2)
    end do
    call number(g)
  end subroutine f
end module lists
