! Functions whose results have bounds by specification functions, visible to the caller by another name too.
! head: m::f(y)/(x)
module sizes
  implicit none
  integer, save :: more = 1
contains
  pure integer function size_of(n)
    integer, intent(in) :: n
    size_of = n + more
  end function size_of
  pure integer function positive(v)
    real(8), intent(in) :: v(:)
    positive = count(v > 0.0d0)
  end function positive
  function squares(n, x) result(r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(4)
    real(8) :: r(0:size_of(n)-1)
    r = x(1:size_of(n))**2
    more = 3 - more
  end function squares
  function kept(v) result(r)
    real(8), intent(in) :: v(:)
    real(8) :: r(positive(v))
    r = pack(v, v > 0.0d0)
  end function kept
end module sizes
module m
  use sizes, only: squares, kept, positive, number => size_of, more
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    real(8), allocatable :: a(:)
    integer :: i
    more = 1
    y = 1.0d0
    do i = 1, 2
      a = squares(i, x)
      y = y*sum(a*a)
      if (sum(table(i)) > 0.0d0) y = y + a(1)
    end do
    y = y + product(kept([x(1:3), -x(4)]))*sum(x(1:3)*squares(2, x))
  contains
    function table(n) result(r)
      integer, intent(in) :: n
      real(8) :: r(2, number(n))
      r = x(n)*y
    end function table
  end subroutine f
end module m
