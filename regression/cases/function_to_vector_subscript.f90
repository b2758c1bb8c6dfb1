! head: m::f(y)/(x,y)
! head: m::g(y)/(x)
! Array-valued functions assigned to sections with vector subscripts, which no procedure may change.
module m
  implicit none
  type cell
    real(8) :: c
  end type cell
contains
  pure function turned(v) result(r)
    real(8), intent(in) :: v(:)
    real(8) :: r(size(v))
    r = cshift(v, 1)*v
  end function turned

  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(inout) :: y(4)
    integer :: p(4)
    p = [3, 1, 4, 2]
    y(p) = turned(y*x)
    p = p(p)
    y(p - 0) = y(p) + turned(x)
    y(p(1:2)) = turned(y(2:3))
  end subroutine f

  subroutine g(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    type(cell) :: o(4)
    integer :: p(3), k
    p = [4, 1, 3]
    o%c = 0.5d0
    do k = 1, 3
      o(p)%c = turned(x*o(p)%c)
      p = cshift(p, 1)
    end do
    y = sum(o%c)
  end subroutine g
end module m
