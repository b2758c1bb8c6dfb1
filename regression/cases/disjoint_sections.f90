! Arguments of a call that are different elements of one array: sections that interleave or run backwards, elements of an
! elemental call, a section that ends before a dummy of unknown size begins.
! head: m::f(y)/(x)
module m
  implicit none
contains
  elemental subroutine order(u, v, n)
    real(8), intent(inout) :: u, v
    integer, intent(out) :: n
    real(8) :: t
    n = 0
    if (u > v) then
      t = u*v
      u = v
      v = t
      n = 1
    end if
  end subroutine
  subroutine scale(u, v)
    real(8), intent(inout) :: u(:)
    real(8), intent(in) :: v(:)
    integer :: i
    do i = 1, size(u)
      u(i) = u(i)*v(i)
    end do
  end subroutine
  subroutine squares(a, n, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: b(*)
    integer :: i
    do i = n, 1, -1
      b(i) = a(i)**2
    end do
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(4)
    real(8) :: s(4), b(4,2)
    integer :: n(2)
    s = x
    call order(s(1:2), s(4:3:-1), n)
    call order(s(1::2), s(2::2), n(2:1:-1))
    call scale(s(4:3:-1), s(1:2))
    call scale(s(2::2), s(1::2))
    b = 1
    call squares(s, 4, b)
    call squares(b(2:4,1), 3, b(2,2))
    call squares(s(:2), 2, s(3))
    y = s*b(:,1) + b(:,2)*n(1)
  end subroutine
end module
