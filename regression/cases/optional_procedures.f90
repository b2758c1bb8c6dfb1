! head: m::f(y)/(x)
! optional dummy procedures that aren't given, and are handed on to other procedures
module m
contains
  real(8) function sq(x)
    real(8), intent(in) :: x
    sq = x**2
  end function
  subroutine h(p, x, q, y)
    interface
      real(8) function p(x)
        real(8), intent(in) :: x
      end function
      real(8) function q(x)
        real(8), intent(in) :: x
      end function
    end interface
    optional :: p, q
    real(8), intent(in) :: x
    real(8), intent(inout) :: y
    real(8) :: t
    t = y
    if (present(p)) then
      t = t*p(x)
    else if (present(q)) then
      t = t + q(x)
    else
      t = sin(t)
    end if
    y = t*x
  end subroutine
  subroutine g(x, q, y)
    real(8), intent(in) :: x
    interface
      real(8) function q(x)
        real(8), intent(in) :: x
      end function
    end interface
    optional :: q
    real(8), intent(inout) :: y
    call h(x=x, q=q, y=y)
    call h(sq, x, q, y)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: z
    y = x
    call h(x=x, y=y)
    call h(sq, x=x, y=y)
    call h(x=x, y=y, q=sq)
    call h(sq, x, sq, y)
    z = y
    call g(x, y=y)
    call g(x, sq, y)
    y = y*z
  end subroutine
end module
