! head: m::f(y)/(x)
! size: n=3
! blocks in an array that are refined, with children by number and neighbours by pointers
module m
  implicit none
  type block
    real(8) :: u(3, 3) = 0
    integer :: nb(2) = 0
    integer :: child(4) = 0
    type(block), pointer :: east => null(), west => null()
  end type block
  type grid
    type(block), pointer :: blocks(:) => null()
    integer :: n = 0
  end type grid
contains
  subroutine refine(g, k)
    type(grid), intent(inout) :: g
    integer, intent(in) :: k
    integer :: c
    do c = 1, 4
      g%n = g%n + 1
      g%blocks(k)%child(c) = g%n
      g%blocks(g%n)%u = g%blocks(k)%u*c*0.25d0
    end do
    g%blocks(g%blocks(k)%child(1))%east => g%blocks(g%blocks(k)%child(2))
    g%blocks(g%blocks(k)%child(2))%west => g%blocks(g%blocks(k)%child(1))
  end subroutine
  subroutine exchange(b)
    type(block), intent(inout) :: b
    if (associated(b%east)) b%u(3, :) = b%east%u(1, :)
    if (associated(b%west)) b%u(1, :) = b%west%u(3, :)*0.5d0
  end subroutine
  subroutine smooth(b)
    type(block), intent(inout) :: b
    b%u(2, 2) = sum(b%u)/9d0
    b%u(1, :) = b%u(1, :)*b%u(2, 2)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(1)
    type(grid) :: g
    integer :: it, k
    allocate(g%blocks(9))
    g%n = 1
    g%blocks(1)%u(:, 1) = x
    g%blocks(1)%u(:, 2) = x**2
    call refine(g, 1)
    call refine(g, 3)
    do it = 1, 3
      do k = 1, g%n
        call exchange(g%blocks(k))
      end do
      do k = 1, g%n
        call smooth(g%blocks(k))
      end do
    end do
    y(1) = 0
    do k = g%n, 1, -1
      if (g%blocks(k)%child(1) > 0) then
        g%blocks(k)%u = g%blocks(k)%u + g%blocks(g%blocks(k)%child(1))%u*g%blocks(g%blocks(k)%child(4))%u
      end if
      y(1) = y(1) + sum(g%blocks(k)%u)
    end do
    deallocate(g%blocks)
  end subroutine f
end module m
