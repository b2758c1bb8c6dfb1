! head: m::f(y)/(x)
! size: n=4
! refused: C0410 at 17
! a callee changes values behind the pointers of a list
module m
  implicit none
  type node
    real(8) :: v
    type(node), pointer :: next => null()
  end type node
contains
  recursive subroutine scale(p, a)
    type(node), pointer :: p
    real(8), intent(in) :: a
    if (.not. associated(p)) return
    p%v = p%v*p%v*a
    call scale(p%next, a)
  end subroutine scale
  subroutine one(p, a)
    type(node), pointer :: p
    real(8), intent(in) :: a
    p%v = p%v*p%v*a
  end subroutine one
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(1)
    type(node), pointer :: first, p
    integer :: i
    nullify(first)
    do i = 1, n
      allocate(p)
      p%v = x(i)
      p%next => first
      first => p
    end do
    call scale(first, x(1))
    y(1) = first%v*sin(first%next%v)
    call scale(first, x(2))
    y(1) = y(1) + first%v*first%next%v
  end subroutine f
end module m
