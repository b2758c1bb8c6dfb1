! head: m::f(y)/(x)
! size: n=4
! blocks in a list that know their parents; the first has none
module m
  implicit none
  type block
    real(8), allocatable :: u(:)
    integer :: level = 0
    type(block), pointer :: parent => null(), next => null()
  end type block
contains
  subroutine add(first, parent, u)
    type(block), pointer :: first
    type(block), pointer :: parent
    real(8), intent(in) :: u(:)
    type(block), pointer :: b
    allocate(b)
    allocate(b%u(size(u)))
    b%u = u
    b%parent => parent
    if (associated(parent)) b%level = parent%level + 1
    b%next => first
    first => b
  end subroutine
  subroutine prolong(b)
    type(block), intent(inout) :: b
    if (associated(b%parent)) b%u = b%u + 0.1d0*b%parent%u*b%u(1)
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(1)
    type(block), pointer :: first, b, none, p
    integer :: it, l
    nullify(first, none)
    call add(first, none, x)
    do l = 0, 1
      p => first
      do while (associated(p))
        if (p%level == l) then
          call add(first, p, p%u*0.5d0)
          call add(first, p, p%u**2)
        end if
        p => p%next
      end do
    end do
    do it = 1, 3
      b => first
      do while (associated(b))
        call prolong(b)
        if (associated(b%parent)) b%parent%u(1) = b%parent%u(1) + 0.05d0*b%u(n)
        b => b%next
      end do
    end do
    y(1) = 0
    b => first
    do while (associated(b))
      y(1) = y(1) + sum(b%u**2)
      b => b%next
    end do
    do while (associated(first))
      b => first%next
      deallocate(first)
      first => b
    end do
  end subroutine f
end module m
