! head: m::f(y)/(x)
! head: m::g(y)/(x)
! an object whose allocatable components are all inherited is copied, and a callee reallocates what its parent holds
module m
  implicit none
  type base
    real(8), allocatable :: w(:)
  end type base
  type, extends(base) :: ext
  end type ext
contains
  subroutine double(b)
    type(base), intent(inout) :: b
    b%w = [b%w, b%w*b%w(1)]
  end subroutine double

  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    type(ext) :: b, d
    b%w = x(1:2)
    d = b
    y = d%w(1)*d%w(2)
  end subroutine f

  subroutine g(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    type(ext) :: b
    b%w = x(1:2)
    call double(b%base)
    y = b%w(4)*x(1)
  end subroutine g
end module m
