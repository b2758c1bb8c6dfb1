! head: m::f(y)/(x, m::v, m::o, m::q%b)
! head: m::g(y)/(x, p)
! head: m::g(y)/(x, p%b)
! head: m::h(y)/(x, m::o%b)
! setup: m::start
! size: m::v=4
! inputs that are overwritten and no outputs: their adjoints are increased, in modules and in components too; components
! that the head doesn't name start at zero
module m
  implicit none
  type pair
    real(8) :: a(3) = 1, b = 2
    integer :: n = 1
  end type pair
  real(8), allocatable :: v(:)
  type(pair) :: o, q(2)
contains
  subroutine start()
    allocate(v(4), source=1.5d0)
  end subroutine start

  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    v = v*x + o%a(o%n)
    o%a = o%a*x(1)
    q%b = q%b*x(2)
    y = sum(v) + sum(o%a)*sum(q%b)
  end subroutine f

  subroutine g(x, p, y)
    real(8), intent(in) :: x(4)
    type(pair), intent(inout) :: p
    real(8), intent(out) :: y
    p%a = p%a*x(1)
    p%b = p%b*x(2)**p%n
    y = sum(p%a)*p%b
  end subroutine g

  subroutine h(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    o%a = o%a*x(1)
    y = sum(o%a)*o%b
  end subroutine h
end module m
