! head: m::f(y)/(x)
! Values of functions for objects of a type with an assignment of its own, which generated code must not call there.
module lib
  implicit none
  private
  type, public :: vec
    real(8) :: c(3) = 0
    integer :: n = 0
  contains
    procedure, private :: vassign, vreal
    generic :: assignment(=) => vassign, vreal
    procedure :: vadd
    procedure :: smul
    generic :: operator(+) => vadd
    generic :: operator(*) => smul
  end type
  interface operator(-)
    module procedure vsub
  end interface
  public :: operator(-), make
contains
  elemental subroutine vassign(a, b)
    class(vec), intent(inout) :: a
    type(vec), intent(in) :: b
    a%c = b%c
    a%n = b%n + 1
  end subroutine
  subroutine vreal(a, b)
    class(vec), intent(inout) :: a
    real(8), intent(in) :: b(3)
    a%c = b
    a%n = 0
  end subroutine
  elemental function vadd(a, b) result(r)
    class(vec), intent(in) :: a, b
    type(vec) :: r
    r%c = a%c + b%c*a%c
    r%n = a%n + b%n
  end function
  elemental function vsub(a, b) result(r)
    class(vec), intent(in) :: a, b
    type(vec) :: r
    r%c = a%c - b%c*a%c
    r%n = a%n - b%n
  end function
  elemental function smul(a, s) result(r)
    class(vec), intent(in) :: a
    real(8), intent(in) :: s
    type(vec) :: r
    r%c = a%c*s
    r%n = a%n
  end function
  pure function make(a) result(r)
    real(8), intent(in) :: a
    type(vec) :: r
    r%c = a
    r%n = 3
  end function
end module
module m
  use lib
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(2)
    type(vec) :: a, b
    integer :: i
    a = x
    b = a
    do i = 1, 3
      b = b*x(2) + a
      a = a - b*x(1)
      b = make(x(i)*b%c(1)) - a
      b = b*sin(b%c(2))
    end do
    y(1) = sum(a%c)*a%n
    y(2) = dot_product(b%c, a%c) + b%n
  end subroutine
end module
