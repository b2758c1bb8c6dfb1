! head: m::f(y)/(x)
! several use statements of one module: what one of them renames has no other name
module constants
  implicit none
  real(8) :: g = 9.0d0
  real(8) :: k = 0.5d0
  real(8) :: both = 2.0d0
end module constants

module others
  use constants, only: k
  implicit none
  real(8) :: scale = 3.0d0
end module others

module m
  use constants, only: gravity => g
  use constants
  use others
  use constants, twice => both, only_here => k
  implicit none
contains
  subroutine f(x, y)
    use constants, g => k
    use constants, only: both, h => g
    real(8), intent(in) :: x(2)
    real(8), intent(out) :: y
    y = gravity*x(1)*x(2)**2 + g*h + both*x(1)*scale + only_here*twice*x(2)
    y = y + inner(x(1))*k
    call swapped(y)
  contains
    real(8) function inner(a)
      use constants, only: one => g
      use constants, only: g, two => g
      real(8), intent(in) :: a
      inner = one*a**2 + two*a + g*sin(a)
    end function inner
  end subroutine f

  subroutine swapped(r)
    use constants
    use constants, k => both, both => k
    real(8), intent(inout) :: r
    both = both*r
    r = r*k + both**2
  end subroutine swapped
end module m
