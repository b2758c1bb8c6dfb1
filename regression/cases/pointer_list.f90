! head: m::f(y)/(x)
! size: n=5
! a linked list is built and walked along
module m
  implicit none
  type node
    real(8) :: v
    type(node), pointer :: next => null()
  end type node
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(1)
    type(node), pointer :: head, p
    integer :: i
    nullify(head)
    do i = 1, n
      allocate(p)
      p%v = x(i)**2
      p%next => head
      head => p
    end do
    y(1) = 0
    p => head
    do while (associated(p))
      y(1) = y(1) + p%v*y(1) + sin(p%v)
      p => p%next
    end do
    do while (associated(head))
      p => head%next
      deallocate(head)
      head => p
    end do
  end subroutine f
end module m
