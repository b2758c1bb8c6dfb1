! head: m::f(y)/(x)
! a constructor takes an allocatable scalar component of its target
module m
implicit none
type par
  real(8), allocatable :: nu, kap
end type
contains
subroutine f(x, y)
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y(2)
  type(par) :: p
  p%nu = x(1)**2
  p = par(kap=p%nu)
  y = p%kap**2
end subroutine
end module
