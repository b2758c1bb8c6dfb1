! External procedures and common blocks named like the derivatives of modules, and modules named like those of external
! procedures.
! head: m::f(y)/(x)
subroutine a_d(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = x**2
end subroutine a_d

subroutine m_b(x, y)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  y = x**3
end subroutine m_b

module a
  implicit none
  real(8) :: k = 2
contains
  subroutine set(v)
    real(8), intent(in) :: v
    real(8) :: w
    common /a_b/ w
    w = v
    k = w**2
  end subroutine set
end module a

module g_d
  implicit none
  real(8) :: l = 2
end module g_d

module g_b
  implicit none
  real(8) :: l = 2
end module g_b

subroutine g(x, y)
  use g_d, only: l
  use g_b, only: other => l
  implicit none
  real(8), intent(in) :: x
  real(8), intent(inout) :: y
  l = x
  other = l*x
  y = y + l*other
end subroutine g

module m
  use a
  implicit none
contains
  subroutine f(x, y)
    use g_d, only: j => l
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: p
    external :: a_d, m_b, g
    j = x
    call set(x)
    call a_d(x, p)
    call m_b(p*k, y)
    call g(x, y)
    y = y*j
  end subroutine f
end module m
