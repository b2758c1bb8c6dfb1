! head: m::f(y)/(x)
! size: i=1 j=2
! refused: C0407 at 27
! Numbers keep elements apart, but not what pointers of different elements lead to.
module m
  implicit none
  type view
    real(8), pointer :: p(:) => null()
  end type view
contains
  subroutine add(a, b, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(inout) :: b(n)
    b = b*a(n:1:-1)
  end subroutine add

  subroutine f(i, j, x, y)
    integer, intent(in) :: i, j
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    real(8), target :: t(2)
    type(view) :: v(2)
    t = x
    v(1)%p => t
    v(2)%p => t
    call add(v(i)%p(:), v(j)%p(:), 2)
    y = t(1) + 2*t(2)
  end subroutine f
end module m
