! Pure and elemental internal procedures that read active variables of their hosts: their adjoints increment those of the
! hosts, so that neither they nor what calls them is pure.
! head: m::f(y)/(x)
! head: m::of_elements(y)/(x)
module m
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    y = twice(x)*2
  end subroutine
  pure real(8) function twice(x)
    real(8), intent(in) :: x(3)
    real(8) :: a, b
    call inner(x(1), x, a)
    call inner(x(2)*a, x, b)
    twice = a*b
  end function
  pure subroutine inner(c, x, y)
    real(8), intent(in) :: c, x(3)
    real(8), intent(out) :: y
    integer :: i
    y = 0
    do i = 1, 3
      y = y + g(x(i))
    end do
  contains
    pure real(8) function g(v)
      real(8), intent(in) :: v
      g = c*v**2 + h(v)
    end function
    pure real(8) function h(v)
      real(8), intent(in) :: v
      h = sin(c*v)
    end function
  end subroutine
  subroutine of_elements(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    call e(x, y)
  end subroutine
  elemental subroutine e(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: c
    c = x**2
    y = g(x) + g(2*x)
  contains
    elemental real(8) function g(v)
      real(8), intent(in) :: v
      g = c*v**2
    end function
  end subroutine
end module
