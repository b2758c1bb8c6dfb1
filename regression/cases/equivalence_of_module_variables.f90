! head: m::f(y)/(x,y)
! head: m::g(y)/(x)
! head: m::h(y)/(x)
! head: u(y)/(x)
! Module variables that share memory by `equivalence`: so do their derivatives, in a module of their own or in the user's.
module m
  implicit none
  real(8), save :: buf(4), lin(4)
  equivalence (buf, lin)
  real(8) :: all(2, 3), low(2), high(4)
  equivalence (all(1, 1), low), (high(1), all(1, 2))
  real(8), save :: z(4)
  complex(8), save :: w(2)
  equivalence (z(1), w(1))
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(inout) :: y(4)
    buf = x
    y = y*lin
    lin(2) = y(1)*buf(2)
    y(3) = y(3)*buf(2)
  end subroutine f

  subroutine put(x)
    real(8), intent(in) :: x(3)
    low = x(1:2)**2
    high(1:3) = x*low(1)
    high(4) = 0.5d0
  end subroutine put

  subroutine g(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y(2)
    integer :: k
    call put(x)
    y = 0
    do k = 1, 3
      y = y + all(:, k)*k
      all(1, k) = sin(y(1))
    end do
    y(2) = y(2)*low(1) + high(3)
    z = [y, x(1:2)]
    y(1) = y(1) + abs(w(1))*real(w(2))
  end subroutine g

  subroutine h(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    all = 0.5d0
    low = [2d0, 3d0]*x
    y = sum(all) + high(2)**2
  end subroutine h
end module m

subroutine u(x, y)
  use m, only: b => buf, lin
  implicit none
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  b = x**2
  lin(1) = lin(2)*b(3)
  y = dot_product(b, x)
end subroutine u
