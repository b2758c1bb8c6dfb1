! head: m::f(y)/(x)
! layout: extend
! refused: C0404 at 17
! a procedure that is called with two functions keeps one counter from call to call, which two copies of it would not share
module m
  implicit none
  abstract interface
    function fn(a) result(r)
      real(8), intent(in) :: a
      real(8) :: r
    end function fn
  end interface
contains
  real(8) function app(g, a)
    procedure(fn) :: g
    real(8), intent(in) :: a
    integer, save :: count = 0
    count = count + 1
    app = g(a)*count
  end function app

  function square(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r
    r = a*a
  end function square

  function sine(a) result(r)
    real(8), intent(in) :: a
    real(8) :: r
    r = sin(a)
  end function sine

  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    y(1) = app(square, x(1))
    y(2) = app(sine, x(2))
    y(3) = app(square, x(3)*y(1))
  end subroutine f
end module m
