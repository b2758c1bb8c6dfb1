! head: m::f(y)/(x)
! head: m::g(y)/(x)
! a constructor gives a value to an allocatable scalar component, in a loop; it takes one of its target
module m
  implicit none
  type par
    real(8), allocatable :: nu, kap
  end type par
contains
  subroutine f(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    type(par) :: p
    integer :: k
    y = 0
    do k = 1, 2
      p = par(kap=x(k))
      y = y + p%kap**2
    end do
  end subroutine f

  subroutine g(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y(2)
    type(par) :: p
    p%nu = x(1)**2
    p = par(kap=p%nu)
    y = p%kap**2
  end subroutine g
end module m
