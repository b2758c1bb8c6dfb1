! head: m::f(y)/(x)
! layout: extend
! Operators of a type with allocatable components and an assignment of its own, all private behind bindings.
module dual_like
  implicit none
  private
  type, public :: field
    private
    real(8), allocatable :: d(:)
  contains
    procedure, private :: add_f, sub_f, mul_f, mul_r
    procedure, private, pass(b) :: r_mul
    procedure, private :: asg
    generic, public :: operator(+) => add_f
    generic, public :: operator(-) => sub_f
    generic, public :: operator(*) => mul_f, mul_r, r_mul
    generic, public :: assignment(=) => asg
    procedure, public :: ddx
    procedure, public :: to_array
    procedure, public :: from_array
  end type
contains
  pure function add_f(a, b) result(c)
    class(field), intent(in) :: a, b
    type(field) :: c
    c%d = a%d + b%d
  end function
  pure function sub_f(a, b) result(c)
    class(field), intent(in) :: a, b
    type(field) :: c
    c%d = a%d - b%d
  end function
  pure function mul_f(a, b) result(c)
    class(field), intent(in) :: a, b
    type(field) :: c
    c%d = a%d*b%d
  end function
  pure function mul_r(a, b) result(c)
    class(field), intent(in) :: a
    real(8), intent(in) :: b
    type(field) :: c
    c%d = a%d*b
  end function
  pure function r_mul(a, b) result(c)
    real(8), intent(in) :: a
    class(field), intent(in) :: b
    type(field) :: c
    c%d = a*b%d
  end function
  pure subroutine asg(a, b)
    class(field), intent(inout) :: a
    type(field), intent(in) :: b
    a%d = b%d
  end subroutine
  pure function ddx(a) result(c)
    class(field), intent(in) :: a
    type(field) :: c
    c%d = cshift(a%d, 1) - a%d
  end function
  pure function to_array(a) result(r)
    class(field), intent(in) :: a
    real(8) :: r(size(a%d))
    r = a%d
  end function
  pure subroutine from_array(a, r)
    class(field), intent(inout) :: a
    real(8), intent(in) :: r(:)
    a%d = r
  end subroutine
end module
module m
  use dual_like, only: field
  implicit none
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(1)
    type(field) :: u, v
    integer :: i
    call u%from_array(x)
    call v%from_array(x**2)
    do i = 1, 2
      u = u + 0.1d0*u%ddx()
      v = v*u - u*x(1)
    end do
    y = sum(v%to_array())
  end subroutine
end module
