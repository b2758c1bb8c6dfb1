! Calls that change some components of an object, inherited ones, those of a parent and of elements: only these are saved.
! head: m::f(y)/(x)
! size: n=5
module m
  implicit none
  type base
    real(8) :: p, q(2)
    integer :: k
  end type
  type, extends(base) :: kid
    real(8) :: r
    integer :: j(4)
  end type
  type box
    type(kid) :: inner(3)
    type(base) :: one
    real(8) :: z
  end type
  type(kid) :: state, other
contains
  subroutine viaparent(b, x)
    type(base), intent(inout) :: b
    real(8), intent(in) :: x
    b%p = b%p*sin(b%p)*x + b%q(1)
    b%k = b%k + 1
  end subroutine
  subroutine stepk(c, x, i)
    type(kid), intent(inout) :: c
    real(8), intent(in) :: x
    integer, intent(in) :: i
    c%p = c%p*cos(c%r)*x
    c%base%q(2) = c%base%q(2)*c%p
    if (mod(c%k, 2) == 0) c%r = c%r*c%q(2)
    call viaparent(c%base, x)
    other%r = other%r*c%p*0.1d0 + 0.01d0*i
  end subroutine
  subroutine stepb(b, x, i)
    type(box), intent(inout) :: b
    real(8), intent(in) :: x
    integer, intent(in) :: i
    call stepk(b%inner(i), x, i)
    b%one%p = b%one%p*b%inner(i)%r + sin(b%one%p)
  end subroutine
  subroutine poly(c, x)
    class(base), intent(inout) :: c
    real(8), intent(in) :: x
    c%p = c%p**2*x
  end subroutine
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    type(box) :: b(2)
    type(kid) :: c
    integer :: i, k
    state%p = x(1); state%q = x(2); state%r = x(1); state%k = 1; state%j = 0
    c = state; other = state
    do k = 1, 2
      do i = 1, 3
        b(k)%inner(i) = c
      end do
      b(k)%one = c%base
      b(k)%z = 1
    end do
    do i = 1, n
      call stepb(b(1 + mod(i, 2)), x(i), 1 + mod(i, 3))
      call stepk(state, x(i), i)
      call stepk(b(2)%inner(2), x(i), i)
      call viaparent(b(1)%one, x(i))
      call poly(c, 0.5d0 + x(i))
      c%q = c%q*c%p
      y(i) = b(1)%one%p*b(2)%inner(2)%p*0.1d0 + state%p + state%r*b(1)%inner(1)%r + c%q(1)*c%p + b(2)%inner(1)%q(2)
    end do
  end subroutine
end module
