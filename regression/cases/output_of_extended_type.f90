! head: m::f(y)/(x)
! size: n=8
module m
  implicit none
  type base
    real(8) :: s = 1
    real(8), allocatable :: h(:)
  end type
  type, extends(base) :: wide
    real(8) :: w = 2
    real(8) :: v(2) = [1, 2]
    real(8), allocatable :: g(:)
  end type
contains
  ! An output of the base type takes an object of an extended one, whose own components get their default values.
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(wide) :: a
    integer :: k
    do k = 1, n
      call reset(a, x(1)*k)
      a%s = a%s*x(1) + a%h(2)
      a%w = a%w*x(2)*a%s
      a%v = a%v*a%w
      if (.not. allocated(a%g)) a%g = [x(2)]
      a%g = a%g*a%w
      y(k) = a%w + a%s*a%v(2) + a%g(1)
    end do
  end subroutine f
  subroutine reset(self, x)
    class(base), intent(out) :: self
    real(8), intent(in) :: x
    self%h = [x, x**2]
  end subroutine reset
end module m
