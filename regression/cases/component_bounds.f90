! head: m::f(y)/(x)
! Objects that are assigned give their allocatable components their bounds, also where the memory has the same shape already:
! copies of objects, of arrays of objects, from constructors and from functions.
module m
  implicit none
  type :: t
    real(8), allocatable :: a(:)
    integer, allocatable :: n(:)
  end type t
  type :: wide
    real(8) :: s = 1d0
    real(8), allocatable :: w(:, :)
  end type wide
  type :: both
    type(t) :: t
    real(8) :: s
  end type both
contains
  function made(x) result(r)
    real(8), intent(in) :: x(:)
    type(t) :: r
    allocate(r%a(-1:0), r%n(5:6))
    r%a = x
    r%n = [1, 2]
  end function made
  subroutine copy(p, q)
    type(t), intent(in) :: p
    type(t), intent(inout) :: q
    q = p
  end subroutine copy
  subroutine f(x, y)
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y(8)
    type(t) :: p, q, r(2), s(2)
    type(wide) :: u, v
    type(both) :: c, d
    real(8) :: z(7:8)
    integer :: i
    allocate(p%a(-1:0), p%n(2:3))
    p%a = x
    p%n = [3, 4]
    allocate(q%a(0:1), q%n(2))
    q%a = 0
    q%n = 0
    q = p
    y(1) = q%a(lbound(q%a, 1))*lbound(q%a, 1)*q%n(3)
    call copy(made(x*x(1)), q)
    y(2) = q%a(0)*lbound(q%a, 1)*q%n(5)
    q = t(x**2, [7, 8])
    y(3) = q%a(1)*q%n(2)*ubound(q%a, 1)
    z = x*x(2)
    q = t(z, p%n)
    y(4) = q%a(7)*q%n(2)
    do i = 1, 2
      allocate(r(i)%a(i:i + 1), s(i)%a(2))
      r(i)%a = x*i
      s(i)%a = 1d0
    end do
    s = r
    y(5) = s(2)%a(3)*s(1)%a(lbound(s(1)%a, 1))*ubound(s(2)%a, 1)
    r(1) = r(2)
    y(5) = y(5) + r(1)%a(3)*r(1)%a(2)
    allocate(u%w(0:1, 3:3), v%w(2, 1))
    u%w(:, 3) = x
    u%s = x(1)
    v%w = 2d0
    do i = 1, 3
      v = u
      v%w(0, 3) = v%w(1, 3)*v%s*lbound(v%w, 2)
      u = wide(v%s*x(2), v%w*v%w)
      deallocate(u%w)
      allocate(u%w(i:i + 1, 3:3), source=v%w)
      u%w(i, 3) = sin(v%w(0, 3))
      deallocate(u%w)
      allocate(u%w(0:1, 3:3))
      u%w = v%w*x(1)
    end do
    y(6) = sum(u%w) + u%s
    c%t = made(x)
    c%s = x(2)
    d = both(t(x, [1, 1]), 2d0)
    d = c
    y(7) = d%t%a(-1)*d%s*d%t%n(6)
    y(8) = d%t%a(0)*d%t%n(5)
  end subroutine f
end module m
