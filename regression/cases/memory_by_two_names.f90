! Calls whose callees know memory by two names and change it, in ways that mean one thing only.
! head: m::update_in_place(y)/(x)
! head: m::target_of_module(y)/(x)
! head: m::halves(y)/(x)
! head: m::offset_unknown(y)/(x)
! head: m::chain(y)/(x)
! size: n=5
module m
  implicit none
  type field
    real(8), allocatable :: h(:), u(:)
    real(8) :: t = 0
  end type field
  real(8), target :: three(3)
contains
  subroutine axpy(s, a, d, r)
    type(field), intent(in) :: s, d
    real(8), intent(in) :: a
    type(field), intent(inout) :: r
    r%h = s%h + a*d%h*s%h
    r%u = s%u + a*d%u
    r%t = s%t + a*d%t
  end subroutine axpy

  subroutine update_in_place(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    type(field) :: s, d
    integer :: k
    s%h = x
    s%u = 2*x
    d%h = sin(x)
    d%u = x*x
    d%t = x(1)
    do k = 1, 3
      call axpy(s, 0.1d0, d, s)
      call axpy(d, 0.2d0, s, d)
    end do
    y = sum(s%h*s%u) + s%t*d%h(1)
  end subroutine update_in_place

  subroutine one(a, u)
    real(8), intent(inout), target :: a
    real(8), intent(in) :: u
    three(2) = sin(three(2)*u)
    a = cos(a + three(1))
    three(3) = sin(a*three(2))
  end subroutine one

  subroutine target_of_module(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    integer :: i
    three = x(1:3)
    do i = 1, 3
      call one(three(i), x(n))
    end do
    y = sum(three*x(1:3))
  end subroutine target_of_module

  subroutine part(n, a, b, r)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n), r
    real(8), intent(in) :: b(n)
    integer :: i
    do i = 1, n
      a(i) = sin(a(i)*b(i))
      r = sin(r + a(i))
    end do
  end subroutine part

  subroutine halves(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: w(2*n)
    integer :: i
    y = x(1)
    w(1:n) = x
    w(n+1:) = cos(x)
    call part(n, w(1:n), w(n+1:2*n), y)
    call part(n, w(n+1), w(1), y)
    call part(n - 1, w(2), w(n+1), y)
    do i = 1, n
      call part(1, w(i), w(n+i), y)
    end do
    y = y*sum(w)
  end subroutine halves

  subroutine offset_unknown(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: w(0:4*n)
    integer :: at, k
    w = 0.5d0
    w(0:n-1) = x
    y = x(2)
    at = 0
    do k = 1, 3
      at = at + n
      call part(n, w(at), w(at-n), y)
    end do
    y = y + sum(w)
  end subroutine offset_unknown

  subroutine top(n, w, r)
    integer, intent(in) :: n
    real(8), intent(inout) :: w(*), r
    integer :: i1, i2
    i1 = n + 1
    i2 = i1 + n
    call part(n, w, w(i1), r)
    call part(n, w(i1), w(i2), r)
    w(i2) = sin(w(i2)*r)
    call part(n, w, w(i1), r)
  end subroutine top

  subroutine chain(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: w(3*n)
    w = 0.2d0
    w(n+1:2*n) = x
    y = x(1)
    call top(n, w, y)
    w(n+2) = sin(y*w(1))
    call top(n, w, y)
    y = y + sum(w)
  end subroutine chain
end module m
