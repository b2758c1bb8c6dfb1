! Modules have variables, procedures and types with the names that generated modules would have: their own and those of
! modules whose procedures they reach.
! head: m::f(y)/(x)
module k
  implicit none
  real(8) :: s = 1
  real(8) :: l_b = 2, l_d = 3
contains
  subroutine g(v, w)
    real(8), intent(in) :: v(3)
    real(8), intent(out) :: w
    w = sum(v**3)*s
  end subroutine
end module
module l
  use k, only: g, s, l_b, l_d
  implicit none
contains
  subroutine h(v, w)
    real(8), intent(in) :: v(3)
    real(8), intent(out) :: w
    call g(v, w)
    s = w*l_b*l_d
  end subroutine
end module
module m
  use l
  implicit none
  real(8) :: k_b = 2
  real(8), parameter :: k_d = 3
  private k_d
  type m_d
    real(8) :: v
  end type
contains
  subroutine m_b(x)
    real(8), intent(inout) :: x
    type(m_d) :: a
    a%v = x**2
    x = a%v*k_b
  end subroutine
  subroutine f(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    real(8) :: k, l
    s = 1
    k_b = x(1)
    call h(x, l)
    call m_b(l)
    call g(x, k)
    y = l*k*k_b*k_d
  end subroutine
end module
