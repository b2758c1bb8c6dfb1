! A recursive procedure that goes down in components of the type that holds them.
! head: m::f(y)/(x)
! refused: C0404 at 11
module m
  implicit none
  type tree
    real(8) :: v
    type(tree), allocatable :: left, right
  end type
contains
  recursive subroutine insert(t, v)
    type(tree), allocatable, intent(inout) :: t
    real(8), intent(in) :: v
    if (.not. allocated(t)) then
      allocate (t)
      t%v = v
    else if (v < t%v) then
      call insert(t%left, v)
    else
      call insert(t%right, v)
    end if
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(tree), allocatable :: t
    call insert(t, x(1))
    call insert(t, x(2))
    call insert(t, x(3))
    y = t%v
  end subroutine
end module
