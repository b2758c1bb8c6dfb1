! External procedures whose interface blocks allow keywords and calls from pure procedures.
! head: m::f(y)/(x)
! head: m::through_pure(y)/(x)
module m
  implicit none
  interface
    pure subroutine ext_scale(n, a, s)
      integer, intent(in) :: n
      real(8), intent(inout) :: a(n)
      real(8), intent(in) :: s
    end subroutine ext_scale
  end interface
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    y = x*x(4:1:-1)
    call ext_scale(2, y(2), x(3)**2)
    call ext_scale(0, y, x(1))
    if (x(1) > -100.0d0) call ext_scale(n=3, s=x(2), a=y)
  end subroutine f

  pure subroutine twice(a, s)
    real(8), intent(inout) :: a(3)
    real(8), intent(in) :: s
    call ext_scale(3, a, s)
    call ext_scale(2, s=a(1)*s, a=a(2:3))
  end subroutine twice

  subroutine through_pure(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(3)
    y = x**2
    call twice(y, x(2))
  end subroutine through_pure
end module m

pure subroutine ext_scale(n, a, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  real(8), intent(in) :: s
  a = a*s + sum(a)
end subroutine ext_scale
