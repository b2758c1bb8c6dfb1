! head: m::f(y)/(x)
! Generic bindings whose specifics take the object in any place or not at all, in several statements and types.
module k
  implicit none
contains
  subroutine app5(x)
    real(8), intent(inout) :: x(:)
    x = x*x
  end subroutine
end module
module m
  use k, only: pq => app5
  implicit none
  type, abstract :: base
  contains
    procedure(scaled), deferred, pass(o) :: by
    generic :: times => by
  end type
  abstract interface
    real(8) function scaled(x, o)
      import base
      real(8), intent(in) :: x
      class(base), intent(in) :: o
    end function
  end interface
  type, extends(base) :: op
    real(8) :: k = 2
  contains
    generic :: go => app, appi
    procedure, pass(me) :: app
    procedure, pass(me) :: appi
    generic :: go => app4
    procedure, nopass :: app4
    procedure, pass(o) :: by
    procedure, nopass :: app5 => pq
    generic :: go => app5
    generic :: val => v1, v2
    procedure, pass(b) :: v1
    procedure :: v2
  end type
  type, extends(op) :: op2
    real(8) :: z = 3
  contains
    procedure, pass(me) :: app => appx
    procedure, pass(o) :: more
    generic :: go => more
  end type
contains
  subroutine app(x, me, y)
    real(8), intent(in) :: x
    class(op), intent(in) :: me
    real(8), intent(out) :: y
    y = x*me%k
  end subroutine
  subroutine appx(x, me, y)
    real(8), intent(in) :: x
    class(op2), intent(in) :: me
    real(8), intent(out) :: y
    y = x*me%k*me%z
  end subroutine
  subroutine appi(i, me, y)
    integer, intent(in) :: i
    class(op), intent(in) :: me
    real(8), intent(out) :: y
    y = i*me%k
  end subroutine
  real(8) function by(x, o)
    real(8), intent(in) :: x
    class(op), intent(in) :: o
    by = x**2*o%k
  end function
  real(8) function of(b, x)
    class(base), intent(in) :: b
    real(8), intent(in) :: x
    of = b%times(x)
  end function
  subroutine app4(x)
    real(8), intent(inout) :: x
    x = x*x
  end subroutine
  subroutine more(x, y, o, z)
    real(8), intent(in) :: x, y
    class(op2), intent(inout) :: o
    real(8), intent(out) :: z
    z = x*y*o%k
    o%z = z
  end subroutine
  real(8) function v1(i, b)
    integer, intent(in) :: i
    class(op), intent(in) :: b
    v1 = b%k**i
  end function
  real(8) function v2(b, x)
    class(op), intent(in) :: b
    real(8), intent(in) :: x
    v2 = b%k*sin(x)
  end function
  subroutine sub(o, x, y)
    class(op), intent(inout) :: o
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    call o%go(x, y)
    o%k = o%k + y
    y = y*o%val(2) + o%val(i=2) + o%val(y)
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    type(op) :: o
    type(op2) :: q
    real(8) :: w(2)
    o%k = x
    q%k = x*x
    call o%go(x, y)
    call o%go(y)
    w = [x, y]
    call o%go(w)
    call o%go(3, q%z)
    call q%go(y, w(1))
    call q%go(y, w(2), z=y)
    call q%go(y=w(2), x=y, z=w(1))
    call sub(o, y, w(1))
    call sub(q, w(1), w(2))
    y = o%val(3)*q%val(2)*w(2)*o%val(w(1))*q%k*q%z + y
    y = y*of(o, x)
  end subroutine
end module
