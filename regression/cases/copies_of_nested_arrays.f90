! head: m::copies(y)/(x)
! head: m::sections(y)/(x)
! head: m::arguments(y)/(x)
! head: m::extended(y)/(x)
! Assignments of objects with arrays within arrays: copies, broadcasts, sections, function values, inherited components.
module m
  implicit none
  type pt
    real(8) :: c(2), s
  end type
  type bx
    type(pt) :: p(3), q
    integer :: n = 1
    real(8) :: w(2) = 1d0
  end type
  type, extends(bx) :: ex
    type(pt) :: r(2, 2)
  end type
contains
  subroutine fill(x, b)
    real(8), intent(in) :: x(6)
    type(bx), intent(out) :: b
    integer :: i
    do i = 1, 3
      b%p(i)%c = x(i:i + 1)**2
      b%p(i)%s = x(i)*x(6)
    end do
    b%q = b%p(2)
    b%n = 2
    b%w(2) = x(4)
  end subroutine
  real(8) function value(b)
    type(bx), intent(in) :: b
    integer :: i
    value = b%q%s*b%w(2)*b%n
    do i = 1, 3
      value = value + b%p(i)%c(1)*b%p(i)%c(2)*b%p(i)%s
    end do
  end function
  subroutine copies(x, y)
    real(8), intent(in) :: x(6)
    real(8), intent(out) :: y
    type(bx) :: a, b, c(2)
    integer :: i
    call fill(x, a)
    b = a
    a%p(1)%c = 0
    b%p(2) = b%p(1)
    c = b
    y = value(b)*value(c(2))
    do i = 1, 2
      a = c(i)
      c(i)%p(3)%c(2) = x(i)*y
      y = y + value(a) + value(c(i))
    end do
  end subroutine
  subroutine sections(x, y)
    real(8), intent(in) :: x(6)
    real(8), intent(out) :: y
    type(bx) :: b(4), d(2, 2)
    type(pt) :: p(4)
    call fill(x, b(1))
    b(2:4) = b(1)
    b(3)%p(1)%s = x(5)
    d(:, 1) = b(2:3)
    d(:, 2) = d(2, 1)
    d(1, :) = b(3:1:-2)
    p(1:3) = b(2)%p
    p(4) = d(1, 2)%p(3)
    p(1:2) = p(3:4)
    b(4)%p = p(2:4)
    y = value(d(1, 1))*value(d(2, 2)) + value(b(4)) + p(1)%c(1)*p(2)%s
  end subroutine
  subroutine arguments(x, y)
    real(8), intent(in) :: x(6)
    real(8), intent(out) :: y
    type(bx) :: a, b(2)
    call fill(x, a)
    b = moved(a, x(2))
    call swap(a, b(2))
    y = value(a)*value(b(2)) + value(b(1))
  end subroutine
  type(bx) function moved(a, by) result(b)
    type(bx), intent(in) :: a
    real(8), intent(in) :: by
    b = a
    b%p(2)%c = b%p(2)%c*by
  end function
  subroutine swap(a, b)
    type(bx), intent(inout) :: a, b
    type(bx) :: t
    t = a
    a = b
    b = t
  end subroutine
  subroutine extended(x, y)
    real(8), intent(in) :: x(6)
    real(8), intent(out) :: y
    type(ex) :: a, b
    call fill(x, a%bx)
    a%r(1, :) = a%p(1:2)
    a%r(2, :) = a%q
    b = a
    a%r(1, 1)%s = 0
    y = value(b%bx)*b%r(1, 1)%s*b%r(1, 2)%c(2) + b%r(2, 1)%c(1)
  end subroutine
end module
