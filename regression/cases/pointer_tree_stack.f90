! head: m::f(y)/(x)
! size: n=4
! a binary tree of blocks, made and walked with a stack of pointers
module m
  implicit none
  type block
    real(8), allocatable :: u(:)
    integer :: level = 0
    type(block), pointer :: left => null(), right => null()
  end type block
  type link
    type(block), pointer :: p => null()
  end type link
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(1)
    type(block), pointer :: root, b
    type(link) :: stack(20)
    integer :: it, top, i
    allocate(root)
    allocate(root%u(n))
    root%u = x
    top = 1
    stack(1)%p => root
    do while (top > 0)
      b => stack(top)%p
      top = top - 1
      if (b%level >= 2) cycle
      allocate(b%left, b%right)
      allocate(b%left%u(n), b%right%u(n))
      b%left%u = b%u*0.5d0
      b%right%u = b%u**2
      b%left%level = b%level + 1
      b%right%level = b%level + 1
      stack(top+1)%p => b%left
      stack(top+2)%p => b%right
      top = top + 2
    end do
    do it = 1, 3
      top = 1
      stack(1)%p => root
      do while (top > 0)
        b => stack(top)%p
        top = top - 1
        do i = 2, size(b%u)
          b%u(i) = b%u(i) + 0.1d0*b%u(i)*b%u(i-1)
        end do
        if (associated(b%left)) then
          b%u(1) = b%u(1) + 0.01d0*b%left%u(n)*b%right%u(1)
          top = top + 2
          stack(top)%p => b%left
          stack(top-1)%p => b%right
        end if
      end do
    end do
    y(1) = 0
    top = 1
    stack(1)%p => root
    do while (top > 0)
      b => stack(top)%p
      top = top - 1
      y(1) = y(1) + sum(b%u**2)
      if (associated(b%left)) then
        top = top + 2
        stack(top)%p => b%left
        stack(top-1)%p => b%right
      end if
    end do
  end subroutine f
end module m
