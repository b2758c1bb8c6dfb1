! head: t::f(y)/(x)
! a final statement without colons; a final procedure that changes nothing but its object
module t
  type a
    real(8) :: v
  contains
    final destructor
  end type
contains
  subroutine destructor(s)
    type(a), intent(inout) :: s
    s%v = 0
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    y = x**2
  end subroutine
end module
