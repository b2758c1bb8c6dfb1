! head: m::f(y)/(x)
! Assignments to what functions point to: a value, a section, behind bindings.
module m
  implicit none
  type arr
    real(8), pointer :: d(:) => null()
    integer :: off = 0
  contains
    procedure :: at
  end type
  type, extends(arr) :: arr2
  contains
    procedure :: at => at2
  end type
  real(8), target :: st(3) = [1,2,3]
contains
  function at(self, i) result(p)
    class(arr), intent(in) :: self
    integer, intent(in) :: i
    real(8), pointer :: p
    p => self%d(i + self%off)
  end function
  function at2(self, i) result(p)
    class(arr2), intent(in) :: self
    integer, intent(in) :: i
    real(8), pointer :: p
    p => self%d(i + 2*self%off)
  end function
  function el(k) result(p)
    integer, intent(in) :: k
    real(8), pointer :: p
    p => st(k)
  end function
  function part(k) result(p)
    integer, intent(in) :: k
    real(8), pointer :: p(:)
    p => st(k:)
  end function
  subroutine inc(v)
    real(8), intent(inout) :: v
    v = v**2
  end subroutine
  subroutine go(o, v)
    class(arr), intent(inout) :: o
    real(8), intent(in) :: v
    o%at(1) = v*o%at(0)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(1)
    real(8), target :: w(4), u(4)
    type(arr) :: a
    type(arr2) :: b
    integer :: k
    st = [1,2,3]
    el(2) = x(1)
    st(1) = 3
    w = x
    u = x**2
    a%d => w
    a%off = 1
    b%d => u
    b%off = 1
    a%at(0) = a%at(1)*a%at(2)
    b%at(0) = a%at(1)*b%at(2)
    do k = 1, 3
      if (x(k) > 0) then
        el(k) = el(k)*x(k) + a%at(k)
      end if
    end do
    part(2) = part(2)*x(3:4)
    part(1) = x(1)*st
    call inc(el(3))
    call go(a, st(3))
    call go(b, st(2))
    y(1) = sum(w*st(1)) + sum(u*st(2)) + st(3)
  end subroutine
end module
