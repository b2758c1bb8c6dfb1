! head: m::f(y)/(x)
! size: n=3
! calls: split
! procedures as arguments: of a module, of another module, external, intrinsic, internal with variables of its host
module steppers
  implicit none
  interface
    subroutine rhs_i(t, u, du)
      real(8), intent(in) :: t, u(:)
      real(8), intent(out) :: du(:)
    end subroutine rhs_i
  end interface
contains
  subroutine rk2(rhs, t, dt, u)
    procedure(rhs_i) :: rhs
    real(8), intent(in) :: t, dt
    real(8), intent(inout) :: u(:)
    real(8) :: k1(size(u)), k2(size(u))
    call rhs(t, u, k1)
    call rhs(t+dt/2, u+dt/2*k1, k2)
    u = u + dt*k2
  end subroutine rk2

  subroutine march(rhs, u, dt, n)
    procedure(rhs_i) :: rhs
    real(8), intent(inout) :: u(:)
    real(8), intent(in) :: dt
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      call rk2(rhs, i*dt, dt, u)
    end do
  end subroutine march

  real(8) function newton(g, dg, x0) result(r)
    interface
      real(8) function g(a)
        real(8), intent(in) :: a
      end function g
      real(8) function dg(a)
        real(8), intent(in) :: a
      end function dg
    end interface
    real(8), intent(in) :: x0
    integer :: it
    r = x0
    do it = 1, 4
      r = r - g(r)/dg(r)
    end do
  end function newton
end module steppers

module m
  use steppers
  implicit none
  real(8) :: coef = 0.4d0
contains
  subroutine decay(t, u, du)
    real(8), intent(in) :: t, u(:)
    real(8), intent(out) :: du(:)
    du = -coef*u*u(1) + 0.1d0*t
  end subroutine decay

  subroutine grow(t, u, du)
    real(8), intent(in) :: t, u(:)
    real(8), intent(out) :: du(:)
    du = sin(u)*t
  end subroutine grow

  real(8) function twice(g, a)
    real(8), external :: g
    real(8), intent(in) :: a
    twice = g(g(a))
  end function twice

  ! It calls itself with what it was given.
  recursive real(8) function nested(g, a, depth) result(r)
    real(8), external :: g
    real(8), intent(in) :: a
    integer, intent(in) :: depth
    if (depth == 0) then
      r = g(a)
    else
      r = a*nested(g, g(a), depth - 1)
    end if
  end function nested

  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    intrinsic dsin
    real(8), external :: outside
    integer :: i
    y = x
    call march(decay, y, 0.1d0, 3)
    coef = x(2)
    call march(decay, y, 0.1d0, 2)
    call march(rhs=grow, u=y, n=2, dt=0.05d0)
    coef = 0.4d0
    do i = 1, n
      y(i) = y(i) + newton(res, slope, 1d0 + 0.1d0*i)
    end do
    y(1) = y(1) + twice(dsin, x(1))
    y(2) = y(2)*twice(outside, x(2)) + nested(outside, x(1), 2)
  contains
    real(8) function res(a)
      real(8), intent(in) :: a
      res = a**2 - x(min(i,n)) - x(1)
    end function res

    real(8) function slope(a)
      real(8), intent(in) :: a
      slope = 2*a
    end function slope
  end subroutine f
end module m

real(8) function outside(a)
  real(8), intent(in) :: a
  outside = a**2 + 1
end function outside
