! head: m::top(y)/(x)
! layout: extend
! The same in an extended module, whose private functions an internal procedure calls.
module other
contains
  function g(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    r = x**3
  end function
end module
module m
  private
  public :: top
contains
  subroutine top(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    call f(x, y)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    call inner(x)
  contains
    subroutine inner(z)
      real(8) :: z
      y = aux(z) + aux8(z)
    end subroutine
  end subroutine
  function aux(x)
    real(8) :: aux, x
    aux = x**2
  end function
  function aux8(x)
    real(8) :: aux8, x
    aux8 = sin(x)
  end function
end module
